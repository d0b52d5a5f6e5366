/**
 * Which reservations are tried, and what comes of it.
 */

/** How large a reservation is, and in which pool. */
export interface ReservationShape {
  readonly pool: number;
  readonly need: readonly number[];
  /** > 0, finite. */
  readonly durationMs: number;
}

/** What came of each tried start, in the order in which they were asked for. */
export interface TriedReservations {
  /** 1 where it conflicts with neither running jobs nor reservations. */
  readonly isPossible: Uint8Array;
  /** How many waiting jobs would start later. */
  readonly delayedJobs: Int32Array;
  /**
   * Σ weight × delay, in ms, of the jobs that would start later; those that would start earlier count
   * nothing. Exact as long as it stays within 2^53.
   */
  readonly weightedDelayMs: Float64Array;
}

/** What is tried. */
export interface TriedStarts {
  readonly shape: ReservationShape;
  /** Ascending. */
  readonly startsMs: Float64Array;
  /** By place in queue order. */
  readonly weights: Float64Array;
}
