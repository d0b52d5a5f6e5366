/** Weights that grow with waiting: w(t) = w₀ + d·⌊t/T⌋ ([STREAM] 3.2), and the groups they make. */

/** Weight of a stream that waits. */
export interface AgeingWeight {
  readonly weight: number;
  /** Growth per period, above 0. */
  readonly weightStep: number;
  readonly weightPeriodMs: number;
  readonly submittedMs: number;
}

/** Weight at an instant not before the submission. */
export function weightAt(stream: AgeingWeight, nowMs: number): number {
  return stream.weight + stream.weightStep * Math.floor((nowMs - stream.submittedMs) / stream.weightPeriodMs);
}

/** The first instant after `nowMs` at which the weight grows. */
export function nextGrowthMs({ submittedMs, weightPeriodMs }: AgeingWeight, nowMs: number): number {
  return submittedMs + weightPeriodMs * (Math.floor((nowMs - submittedMs) / weightPeriodMs) + 1);
}

/** Group of a weight: groups have this width, the heaviest has the greatest number. */
export function groupOf(weight: number, groupWidth: number): number {
  return Math.floor(weight / groupWidth);
}
