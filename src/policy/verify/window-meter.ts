/**
 * Use against the limit of an epoch, over time (EUPV).
 *
 * Use above the epoch is what a use that respects the limit would not have used: the meter counts, ms by ms,
 * as much of the use as leaves the window's sum within the limit, and the rest is above it. The limit is the
 * share over the whole window, by the capacity and the shares that held at each of its instants. What is left
 * of the limit is the *headroom*: the limit's growth and the use that leaves the window are added, counted
 * use is subtracted. Everything is constant between steps, so that a stretch of ms costs one division.
 * Amounts come times `WHOLE_SHARE`, so that shares of them stay integers.
 *
 * Cost: O(1) amortised for each step that enters or leaves the window.
 */
import type { EpochWindow } from "../../model/index.ts";
import { calendarWindow } from "../calendar.ts";
import { type LimitSteps, stepAt, summed } from "./limit-steps.ts";

/** Counted use of one level, and its headroom. A new window begins without use. */
export interface WindowMeter {
  readonly window: EpochWindow;
  readonly limits: LimitSteps;
  /** Counted use by steps; those before `first` have left the window. */
  readonly atMs: number[];
  readonly amounts: bigint[];
  first: number;
  headroom: bigint;
  /** End of a calendar window. */
  windowEndMs: number;
}

/** Receives the amount above the limit, constant from one instant until another. */
export type OnStretch = (fromMs: number, toMs: number, above: bigint) => void;

/** A meter that begins at an instant. */
export function createWindowMeter(window: EpochWindow, limits: LimitSteps, atMs: number): WindowMeter {
  const meter = { window, limits, atMs: [], amounts: [], first: 0, headroom: 0n, windowEndMs: atMs };
  if (window.kind === "sliding") meter.headroom = summed(limits, atMs - window.lengthMs, atMs);
  return meter;
}

/**
 * Counts use up to the limit, and reports the rest as above it: what a use that respects the limit would not
 * have used. It is 0 exactly where the use over the window is never above the limit.
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

/** Counts all of a use, and returns the number of ms that begin with headroom. */
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

/** The amount counted in each of the next ms, and the number of ms for which it is constant. */
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

/** The range of the ms 0 … count − 1 that begin above zero, when the headroom changes by `change` in each. */
function whereAboveZero(there: bigint, change: bigint, count: number): readonly [number, number] {
  if (there > 0n) {
    if (change >= 0n) return [0, count];
    return [0, atMost((there - change - 1n) / -change, count)];
  }
  if (change <= 0n) return [count, count];
  return [atMost(-there / change + 1n, count), count];
}

interface Segment {
  /** Change of the headroom in each ms before anything is counted. */
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

/** The first remaining step is the one in effect at the end of the window, or enters it. */
function forget(meter: WindowMeter, tailMs: number): void {
  const { atMs: steps, amounts } = meter;
  while (meter.first + 1 < steps.length && steps[meter.first + 1] <= tailMs) meter.first++;
  if (meter.first < 64 || meter.first * 2 < steps.length) return;
  steps.splice(0, meter.first);
  amounts.splice(0, meter.first);
  meter.first = 0;
}
