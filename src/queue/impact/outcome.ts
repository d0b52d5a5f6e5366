/**
 * Reservations to try, and the outcome of each.
 */

/** Size and pool of a reservation. */
export interface ReservationShape {
  readonly pool: number;
  readonly need: readonly number[];
  /** > 0, finite. */
  readonly durationMs: number;
}

/** Outcome of each tried start, in the order of `startsMs`. */
export interface TriedReservations {
  /** 1 where it conflicts with neither running jobs nor reservations. */
  readonly isPossible: Uint8Array;
  /** Number of waiting jobs that would start later. */
  readonly delayedJobs: Int32Array;
  /**
   * Σ weight × delay, in ms, of the jobs that would start later; those that would start earlier count
   * nothing. Exact as long as it stays within 2^53.
   */
  readonly weightedDelayMs: Float64Array;
}

/** A reservation, and the starts at which it is tried. */
export interface TriedStarts {
  readonly shape: ReservationShape;
  /** Ascending. */
  readonly startsMs: Float64Array;
  /** By place in queue order. */
  readonly weights: Float64Array;
}
