/**
 * Limits of a request over time, beside existing bookings: at every instant, over every sliding window, over
 * every calendar window (rules PO-2, PO-7).
 *
 * Use over a sliding window is a broken line with corners where a rectangle begins or ends, or did so a
 * window ago; between corners it cannot be larger than at both, so only corners are tested.
 */
import { type AdmissionExcess, type EpochWindow, WHOLE_SHARE } from "../model/index.ts";
import type { ExactRatio } from "./admission-shares.ts";
import { calendarWindow } from "./calendar.ts";
import { keptForMs } from "./use-history.ts";

/** A rectangle; see `Booking`. */
interface Rectangle {
  readonly amount: bigint;
  readonly start: bigint;
  readonly end: bigint | null;
}

/** A request, and the bookings beside it at one level. */
export interface SeriesQuestion {
  readonly booked: readonly Rectangle[];
  readonly request: Rectangle;
  readonly capacity: bigint;
  readonly ticksPerMs: bigint;
}

/** Excess over a limit, and its first instant; undefined where the limit holds. */
export type SeriesExcess = Omit<AdmissionExcess, "place"> | undefined;

type CalendarEpoch = Extract<EpochWindow, { kind: "fixed" }>;

/** The excess of the sum over the limit at an instant of the request. */
export function sumExcess(question: SeriesQuestion, limit: ExactRatio): SeriesExcess {
  const { request, capacity } = question;
  const peak = new Peak(limit, capacity);
  const edges = edgesOf(relevant(question, 0n));
  let amount = 0n;
  for (const [index, { at, by }] of edges.entries()) {
    amount += by;
    const isLast = index + 1 === edges.length;
    const untilNext = isLast ? null : edges[index + 1].at;
    // A sum counts where its interval is not empty and overlaps the request.
    if (untilNext === at || (untilNext !== null && untilNext <= request.start)) continue;
    if (request.end !== null && at >= request.end) break;
    peak.see(amount, later(at, request.start));
  }
  return peak.excess(question);
}

/** The excess of use over a sliding window, while the request is in the window. */
export function slidingExcess(question: SeriesQuestion, limit: ExactRatio, lengthMs: number): SeriesExcess {
  const { request, capacity, ticksPerMs } = question;
  const window = BigInt(lengthMs) * ticksPerMs;
  const peak = new Peak(limit, capacity * window);
  const rectangles = relevant(question, window);
  const begun = request.start - window;
  const line = { at: request.start, used: usedBetween(rectangles, begun, request.start), rate: 0n };
  for (const rectangle of rectangles) {
    if (isAt(rectangle, request.start)) line.rate += rectangle.amount;
    if (isAt(rectangle, begun)) line.rate -= rectangle.amount;
  }
  peak.see(line.used, line.at);
  peak.see(line.used, line.at);
  const edges = edgesOf(rectangles);
  const trailing = edges.map(({ at, by }) => edgeAt(at + window, -by));
  for (const { at, by } of [...edges, ...trailing].sort(byInstant)) {
    if (at <= request.start) continue;
    if (request.end !== null && line.at >= request.end + window) break;
    const used = line.used + line.rate * (at - line.at);
    if (line.rate > 0n) peak.see(used, later(line.at, at - peak.sinceOver(used, line.rate)));
    line.used = used;
    line.rate += by;
    line.at = at;
  }
  return peak.excess(question);
}

/** The excess of use over a calendar window that the request touches. */
export function calendarExcess(
  question: SeriesQuestion,
  limit: ExactRatio,
  epoch: CalendarEpoch,
): SeriesExcess {
  const { request, capacity, ticksPerMs } = question;
  const edges = edgesOf(relevant(question, BigInt(keptForMs(epoch)) * ticksPerMs));
  let window = windowOf(epoch, request.start, ticksPerMs);
  const course = { at: window.start, amount: 0n, next: 0 };
  let worst: SeriesExcess;
  const judge = ({ start, end }: TickWindow) => {
    const peak = new Peak(limit, capacity * (end - start));
    peak.see(usedUntil(course, edges, end), later(start, request.start));
    worst = worseOf(worst, peak.excess(question));
  };
  for (;;) {
    judge(window);
    if (request.end !== null && window.end >= request.end) return worst;
    const following = windowOf(epoch, window.end, ticksPerMs);
    const next = course.next < edges.length ? edges[course.next].at : null;
    window = following;
    if (next !== null && next < following.end) continue;
    // Windows in which nothing begins or ends are equal: one of them is tested, the others are skipped.
    judge(following);
    if (next === null) return worst;
    window = windowOf(epoch, next, ticksPerMs);
    if (request.end !== null && window.start >= request.end) return worst;
    course.at = window.start;
  }
}

interface TickWindow {
  readonly start: bigint;
  readonly end: bigint;
}

interface Edge {
  readonly at: bigint;
  /** `at` as the nearest double, which compares ten times faster; equal doubles are compared exactly. */
  readonly near: number;
  readonly by: bigint;
}

/** The largest value so far, and the first instant above the limit. */
class Peak {
  readonly #limit: ExactRatio;
  readonly #whole: bigint;
  #largest = 0n;
  #since: bigint | undefined;

  /** @param whole the amount that the ratio of the limit refers to */
  constructor(limit: ExactRatio, whole: bigint) {
    this.#limit = limit;
    this.#whole = whole;
  }

  see(value: bigint, since: bigint): void {
    if (value > this.#largest) this.#largest = value;
    if (this.#since === undefined && this.#isOver(value)) this.#since = since;
  }

  /** Time for which a value growing at this rate has been above the limit, rounded up to whole ticks. */
  sinceOver(value: bigint, rate: bigint): bigint {
    if (!this.#isOver(value)) return 0n;
    const excess = value * this.#limit.whole - this.#limit.parts * this.#whole;
    return (excess + rate * this.#limit.whole - 1n) / (rate * this.#limit.whole);
  }

  excess({ ticksPerMs }: SeriesQuestion): SeriesExcess {
    if (this.#since === undefined) return undefined;
    const whole = BigInt(WHOLE_SHARE);
    return {
      limitShare: Number((this.#limit.parts * whole) / this.#limit.whole),
      wouldBeShare: Number((this.#largest * whole + this.#whole - 1n) / this.#whole),
      fromMs: Number(floorDivide(this.#since, ticksPerMs)),
    };
  }

  #isOver(value: bigint): boolean {
    return value * this.#limit.whole > this.#limit.parts * this.#whole;
  }
}

/** The earlier of two excesses, with the larger peak of both. */
function worseOf(one: SeriesExcess, other: SeriesExcess): SeriesExcess {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, wouldBeShare: Math.max(one.wouldBeShare, other.wouldBeShare) };
}

/** The request, and the bookings that overlap it or a window before or after it. */
function relevant({ booked, request }: SeriesQuestion, window: bigint): readonly Rectangle[] {
  const from = request.start - window;
  const until = request.end === null ? null : request.end + window;
  const near = booked.filter(
    ({ start, end }) => (end === null || end > from) && (until === null || start < until),
  );
  return [...near, request];
}

function edgesOf(rectangles: readonly Rectangle[]): readonly Edge[] {
  const edges: Edge[] = [];
  for (const { amount, start, end } of rectangles) {
    if (end !== null && end <= start) continue;
    edges.push(edgeAt(start, amount));
    if (end !== null) edges.push(edgeAt(end, -amount));
  }
  return edges.sort(byInstant);
}

function edgeAt(at: bigint, by: bigint): Edge {
  return { at, near: Number(at), by };
}

function byInstant(one: Edge, other: Edge): number {
  if (one.near !== other.near) return one.near - other.near;
  if (one.at === other.at) return 0;
  return one.at < other.at ? -1 : 1;
}

function isAt({ start, end }: Rectangle, at: bigint): boolean {
  return start <= at && (end === null || at < end);
}

function usedBetween(rectangles: readonly Rectangle[], from: bigint, until: bigint): bigint {
  let used = 0n;
  for (const { amount, start, end } of rectangles) {
    const first = later(start, from);
    const last = end === null || end > until ? until : end;
    if (last > first) used += amount * (last - first);
  }
  return used;
}

/** Use from the present position of the series until an instant, to which the position moves. */
function usedUntil(
  course: { at: bigint; amount: bigint; next: number },
  edges: readonly Edge[],
  until: bigint,
): bigint {
  let used = 0n;
  for (; course.next < edges.length && edges[course.next].at < until; course.next++) {
    const { at, by } = edges[course.next];
    if (at > course.at) {
      used += course.amount * (at - course.at);
      course.at = at;
    }
    course.amount += by;
  }
  used += course.amount * (until - course.at);
  course.at = until;
  return used;
}

function windowOf({ unit, offsetMs }: CalendarEpoch, at: bigint, ticksPerMs: bigint): TickWindow {
  const { startMs, endMs } = calendarWindow(unit, Number(floorDivide(at, ticksPerMs)), offsetMs);
  return { start: BigInt(startMs) * ticksPerMs, end: BigInt(endMs) * ticksPerMs };
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
