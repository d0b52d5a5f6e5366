/**
 * Use of one resource by one level over time, and the instants at which it crosses a limit (rule PO-2).
 *
 * A history is plain data: the instants at which the amount changed, with the exact sum of amount·ms up to
 * each. Sums are BigInt: bytes over a month pass 2^53 by far, and limits are compared exactly anyway. Changes
 * older than the longest window are dropped. Crossings are computed to the millisecond, not polled.
 *
 * Cost: a change O(1) amortised; a sum O(log changes); a crossing O(changes in the window).
 */
import { assert } from "../base/index.ts";
import { type EpochWindow, WHOLE_SHARE } from "../model/index.ts";
import { calendarWindow } from "./calendar.ts";

/** Amounts over time; before the first change there was no use. Changed only by {@link changeUse}. */
export interface UseHistory {
  /** Length of the longest window: older changes are dropped. */
  readonly keepMs: number;
  /** Instants at which the amount changed, ascending; those before `first` are dropped. */
  readonly atMs: number[];
  /** The amount from each instant on. */
  readonly amounts: number[];
  /** The sum of amount·ms until each instant. */
  readonly sums: bigint[];
  first: number;
}

/** A share of a capacity over a window: the limit of a use. */
export interface UseLimit {
  readonly window: EpochWindow;
  /** Share in parts of `WHOLE_SHARE`. */
  readonly share: number;
  /** Capacity in the unit of the amounts. */
  readonly capacity: number;
}

const longestMonthMs = 31 * 24 * 3_600_000;

/** Length of history that a window needs. */
export function keptForMs(window: EpochWindow): number {
  if (window.kind === "sliding") return window.lengthMs;
  const { startMs, endMs } = calendarWindow(window.unit, 0, 0);
  return window.unit === "month" ? longestMonthMs : endMs - startMs;
}

/** A history without use. */
export function createUseHistory(keepMs: number): UseHistory {
  return { keepMs, atMs: [], amounts: [], sums: [], first: 0 };
}

/**
 * Sets the amount from an instant on; instants do not go back.
 *
 * @param amount an integer ≥ 0
 */
export function changeUse(history: UseHistory, atMs: number, amount: number): void {
  const { atMs: instants, amounts, sums } = history;
  assert(Number.isSafeInteger(amount) && amount >= 0, "an amount in use is an integer ≥ 0");
  const last = instants.length - 1;
  if (last < 0) {
    instants.push(atMs);
    amounts.push(amount);
    sums.push(0n);
    return;
  }
  assert(atMs >= instants[last], "use does not change in the past");
  if (amount === amounts[last]) return;
  if (atMs === instants[last]) {
    amounts[last] = amount;
    return;
  }
  instants.push(atMs);
  amounts.push(amount);
  sums.push(sumUntil(history, last, atMs));
  forget(history, atMs - history.keepMs);
}

/** The amount in use at an instant, from that instant on. */
export function amountAt(history: UseHistory, atMs: number): number {
  const step = stepAt(history, atMs);
  return step < 0 ? 0 : history.amounts[step];
}

/** The exact amount·ms used in the window that ends at `nowMs`, with the last amount continued. */
export function usedOver(history: UseHistory, window: EpochWindow, nowMs: number): bigint {
  const { startMs } = windowAt(window, nowMs);
  return usedUntil(history, nowMs) - usedUntil(history, startMs);
}

/** The fewest whole amount·ms in the window at `nowMs` that reach the limit. */
export function limitOver({ window, share, capacity }: UseLimit, nowMs: number): bigint {
  const { lengthMs } = windowAt(window, nowMs);
  const whole = BigInt(WHOLE_SHARE);
  return (BigInt(share) * BigInt(capacity) * BigInt(lengthMs) + whole - 1n) / whole;
}

/**
 * The first ms from `nowMs` on at which the use of the window has reached the limit, if `amount` is in use
 * from now on; null where it never does.
 */
export function reachesAtMs(
  history: UseHistory,
  limit: UseLimit,
  nowMs: number,
  amount: number,
): number | null {
  return crossing(history, limit, nowMs, { amount, isReached: true });
}

/** The first ms from `nowMs` on at which the use of the window is below the limit; null where never. */
export function fallsBelowAtMs(
  history: UseHistory,
  limit: UseLimit,
  nowMs: number,
  amount: number,
): number | null {
  return crossing(history, limit, nowMs, { amount, isReached: false });
}

interface Series {
  readonly amount: number;
  /** Direction of the crossing: up to the limit, or below it. */
  readonly isReached: boolean;
}

function crossing(history: UseHistory, limit: UseLimit, nowMs: number, course: Series): number | null {
  return limit.window.kind === "fixed"
    ? crossingOfCalendar(history, limit, nowMs, course)
    : crossingOfSliding(history, limit, nowMs, course);
}

/** Use grows by the new amounts and shrinks by those leaving the window, step by step. */
function crossingOfSliding(
  history: UseHistory,
  limit: UseLimit,
  nowMs: number,
  { amount, isReached }: Series,
): number | null {
  const { startMs, lengthMs } = windowAt(limit.window, nowMs);
  const bound = limitOver(limit, nowMs);
  let used = usedOver(history, limit.window, nowMs);
  let step = stepAt(history, startMs);
  for (let edgeMs = startMs; edgeMs < nowMs; step++) {
    const nextMs = Math.min(nowMs, history.atMs[step + 1] ?? nowMs);
    const rate = BigInt(amount - (step < 0 ? 0 : history.amounts[step]));
    const afterMs = crossingOnLine({ used, rate, bound, isReached });
    if (afterMs !== null && afterMs <= nextMs - edgeMs) return edgeMs + lengthMs + afterMs;
    used += rate * BigInt(nextMs - edgeMs);
    edgeMs = nextMs;
  }
  return null;
}

/** Use grows until the window ends, and then begins at 0. */
function crossingOfCalendar(
  history: UseHistory,
  limit: UseLimit,
  nowMs: number,
  { amount, isReached }: Series,
): number | null {
  let atMs = nowMs;
  let used = usedOver(history, limit.window, nowMs);
  // Of any two consecutive months one has 31 days, the longest window.
  for (let window = 0; window < 3; window++) {
    const { endMs } = windowAt(limit.window, atMs);
    const line = { used, rate: BigInt(amount), bound: limitOver(limit, atMs), isReached };
    const afterMs = crossingOnLine(line);
    if (afterMs !== null && atMs + afterMs < endMs) return atMs + afterMs;
    atMs = endMs;
    used = 0n;
  }
  return null;
}

interface UseLine extends Pick<Series, "isReached"> {
  readonly used: bigint;
  /** Growth of the use per ms. */
  readonly rate: bigint;
  readonly bound: bigint;
}

/** Number of ms after which a linearly growing use has reached the bound, or fallen below it. */
function crossingOnLine({ used, rate, bound, isReached }: UseLine): number | null {
  if (used >= bound === isReached) return 0;
  if (isReached) return rate > 0n ? Number((bound - used + rate - 1n) / rate) : null;
  return rate < 0n ? Number((used - bound) / -rate) + 1 : null;
}

/** Begin and end of the counted part of a window at an instant, and its length. */
function windowAt(window: EpochWindow, atMs: number): WindowAt {
  if (window.kind === "sliding") {
    const { lengthMs } = window;
    return { startMs: atMs - lengthMs, endMs: atMs, lengthMs };
  }
  const { startMs, endMs } = calendarWindow(window.unit, atMs, window.offsetMs);
  return { startMs, endMs, lengthMs: endMs - startMs };
}

interface WindowAt {
  readonly startMs: number;
  readonly endMs: number;
  readonly lengthMs: number;
}

/** The sum of amount·ms from the beginning until an instant; not valid for dropped times. */
function usedUntil(history: UseHistory, untilMs: number): bigint {
  const step = stepAt(history, untilMs);
  return step < 0 ? 0n : sumUntil(history, step, untilMs);
}

function sumUntil({ atMs, amounts, sums }: UseHistory, step: number, untilMs: number): bigint {
  return sums[step] + BigInt(amounts[step]) * BigInt(untilMs - atMs[step]);
}

/** The last step at or before an instant; −1 where there is none. */
function stepAt({ atMs, first }: UseHistory, instantMs: number): number {
  let low = first;
  let high = atMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atMs[middle] <= instantMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Drops steps that ended before any window could begin, in bulk, so that each is moved once at most. */
function forget(history: UseHistory, beforeMs: number): void {
  const { atMs, amounts, sums } = history;
  while (history.first + 1 < atMs.length && atMs[history.first + 1] <= beforeMs) history.first++;
  if (history.first < 64 || history.first * 2 < atMs.length) return;
  for (const column of [atMs, amounts, sums]) column.splice(0, history.first);
  history.first = 0;
}
