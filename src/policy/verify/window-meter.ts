/**
 * Use held against the limit of an epoch, as time goes by (rules PO-2, PO-23).
 *
 * What is left of the limit, the *headroom*, is followed ms by ms: what the limit gives and what the window
 * forgets comes in, what is counted goes out. Everything is constant between steps, so that a stretch of ms
 * costs one division. Amounts come times `WHOLE_SHARE`, so that shares of them stay integers.
 *
 * Cost: O(1) amortised for each step that comes in or leaves the window.
 */
import type { EpochWindow } from "../../model/index.ts";
import { calendarWindow } from "../calendar.ts";
import { type LimitSteps, stepAt, summed } from "./limit-steps.ts";

/** What one level has counted lately, and what is left of its limit. Begins with a window without use. */
export interface WindowMeter {
  readonly window: EpochWindow;
  readonly limits: LimitSteps;
  /** What was counted, by steps; those before `first` have left the window. */
  readonly atMs: number[];
  readonly amounts: bigint[];
  first: number;
  headroom: bigint;
  /** Of a calendar window: where it ends. */
  windowEndMs: number;
}

/** Told of what was counted, and of what was above the limit, from one instant until another. */
export type OnStretch = (fromMs: number, toMs: number, above: bigint) => void;

/** A meter that begins at an instant. */
export function createWindowMeter(window: EpochWindow, limits: LimitSteps, atMs: number): WindowMeter {
  const meter = { window, limits, atMs: [], amounts: [], first: 0, headroom: 0n, windowEndMs: atMs };
  if (window.kind === "sliding") meter.headroom = summed(limits, atMs - window.lengthMs, atMs);
  return meter;
}

/**
 * Counts use up to the limit, and tells what is above it: what a use that keeps to the limit would not
 * have used. It is none exactly where the use over the window is never above the limit.
 */
export function countUpToLimit(
  meter: WindowMeter,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  amount: bigint,
  onAbove: OnStretch,
): void {
  let atMs = fromMs;
  while (atMs < toMs) {
    const { comesIn, untilMs } = segmentOf(meter, atMs, toMs);
    while (atMs < untilMs) {
      const { counted, lastsMs } = nextCounted(meter.headroom, comesIn, amount, untilMs - atMs);
      push(meter, atMs, counted);
      meter.headroom += (comesIn - counted) * BigInt(lastsMs);
      if (counted < amount) onAbove(atMs, atMs + lastsMs, amount - counted);
      atMs += lastsMs;
    }
  }
}

/** Counts all of a use, and tells how many ms begin with something left of the limit. */
export function countAll(
  meter: WindowMeter,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  amount: bigint,
  onLeft: (fromMs: number, toMs: number) => void,
): void {
  let atMs = fromMs;
  while (atMs < toMs) {
    const { comesIn, untilMs } = segmentOf(meter, atMs, toMs);
    push(meter, atMs, amount);
    const change = comesIn - amount;
    const [begin, end] = whereAboveZero(meter.headroom, change, untilMs - atMs);
    if (begin < end) onLeft(atMs + begin, atMs + end);
    meter.headroom += change * BigInt(untilMs - atMs);
    atMs = untilMs;
  }
}

/** What is counted of an amount in each of the next ms, and for how many it is the same. */
function nextCounted(headroom: bigint, comesIn: bigint, amount: bigint, restMs: number) {
  const there = headroom + comesIn;
  if (there >= amount) {
    if (comesIn >= amount) return { counted: amount, lastsMs: restMs };
    return { counted: amount, lastsMs: atMost(headroom / (amount - comesIn), restMs) };
  }
  if (there <= 0n) {
    const lastsMs = comesIn > 0n ? atMost(-headroom / comesIn, restMs) : restMs;
    return { counted: 0n, lastsMs };
  }
  return { counted: there, lastsMs: headroom === 0n ? restMs : 1 };
}

function atMost(count: bigint, most: number): number {
  return count < BigInt(most) ? Number(count) : most;
}

/** Of the ms 0 … count − 1, which begin above zero if what is there changes by so much in each. */
function whereAboveZero(there: bigint, change: bigint, count: number): readonly [number, number] {
  if (there > 0n) {
    if (change >= 0n) return [0, count];
    return [0, atMost((there - change - 1n) / -change, count)];
  }
  if (change <= 0n) return [count, count];
  return [atMost(-there / change + 1n, count), count];
}

interface Segment {
  /** What each ms adds to the headroom before anything is counted. */
  readonly comesIn: bigint;
  readonly untilMs: number;
}

function segmentOf(meter: WindowMeter, atMs: number, toMs: number): Segment {
  const { window, limits } = meter;
  if (window.kind === "fixed") {
    if (atMs >= meter.windowEndMs) beginWindow(meter, window, atMs);
    return { comesIn: 0n, untilMs: Math.min(toMs, meter.windowEndMs) };
  }
  const tailMs = atMs - window.lengthMs;
  forget(meter, tailMs);
  const [head, tail] = [stepAt(limits, atMs), stepAt(limits, tailMs)];
  const { first, atMs: steps, amounts } = meter;
  const hasLeft = first < steps.length && steps[first] <= tailMs;
  const nextLeaves = hasLeft ? steps[first + 1] : steps[first];
  const ends = [
    toMs,
    atMs + window.lengthMs,
    (nextLeaves ?? Number.POSITIVE_INFINITY) + window.lengthMs,
    limits.atMs[head + 1] ?? Number.POSITIVE_INFINITY,
    (limits.atMs[tail + 1] ?? Number.POSITIVE_INFINITY) + window.lengthMs,
  ];
  return {
    comesIn: limits.values[head] - limits.values[tail] + (hasLeft ? amounts[first] : 0n),
    untilMs: Math.min(...ends),
  };
}

function beginWindow(
  meter: WindowMeter,
  { unit, offsetMs }: Extract<EpochWindow, { kind: "fixed" }>,
  atMs: number,
) {
  const { startMs, endMs } = calendarWindow(unit, atMs, offsetMs);
  meter.headroom = summed(meter.limits, startMs, endMs);
  meter.windowEndMs = endMs;
}

/** A calendar window never looks back at its steps. */
function push({ window, atMs: steps, amounts }: WindowMeter, atMs: number, amount: bigint): void {
  if (window.kind === "fixed" || amounts.at(-1) === amount) return;
  steps.push(atMs);
  amounts.push(amount);
}

/** The first step kept is the one that holds at the end of the window, or comes into it. */
function forget(meter: WindowMeter, tailMs: number): void {
  const { atMs: steps, amounts } = meter;
  while (meter.first + 1 < steps.length && steps[meter.first + 1] <= tailMs) meter.first++;
  if (meter.first < 64 || meter.first * 2 < steps.length) return;
  steps.splice(0, meter.first);
  amounts.splice(0, meter.first);
  meter.first = 0;
}
