/**
 * Simulated jobs that reserve instead of queueing, and their summary.
 *
 * The field names of the summary are JSON keys of `summary.json`; they are stable: only ever added.
 */

/** Which jobs reserve, and how they choose from the price list of their site. */
export interface ReservingRules {
  /** The part of the jobs, drawn by seed, in millionths; 0 … 1,000,000. */
  readonly sharePpm: number;
  /** α in millionths: 0 the earliest at any price; `random`: each job draws its own. */
  readonly alphaPpm: number | "random";
}

/** Summary of reservations, of counted jobs only. SU are processor hours, times seconds. */
export interface ReservingSummary {
  /** 0 … 1, as asked for. */
  readonly share: number;
  readonly alpha: number | "random";
  readonly reservedJobs: number;
  readonly queuedJobs: number;
  /** f: the price of others' delays; null without reservations. */
  readonly fixedMeanSu: number | null;
  readonly fixedMaxSu: number | null;
  /** All that was paid, base and f, for one SU of what was reserved. */
  readonly unitPrice: number | null;
  /** Part of the reservations without delays of others, 0 … 1. */
  readonly freeShare: number | null;
  readonly reservedWaitMeanSec: number | null;
  readonly reservedWaitMedianSec: number | null;
  readonly queuedWaitMeanSec: number | null;
  readonly queuedWaitMedianSec: number | null;
  /** Queued jobs that were delayed at least once, of all that were in a queue then. */
  readonly delayedJobs: number;
  /** Each time that a reservation, when it was accepted, delayed a queued job. */
  readonly delays: number;
  /** Of one such delay. */
  readonly delayMeanSec: number | null;
  readonly delayMaxSec: number | null;
  /** Reserved and given back, since the job was done early. */
  readonly returnedSu: number;
}
