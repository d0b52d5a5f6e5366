/**
 * Virtual advance reservation: when to submit a job so that it probably runs at a wanted instant.
 *
 * Source: [PROV] 6.1, Fig. 33, after [NBW07], as spec 30 restates it. Candidates are instants t in steps from
 * now to the start S. A job submitted at t needs a walltime of D + (S − t), however early it starts. Among
 * the instants whose walltime the site allows, the one with the greatest probability of a start before S
 * wins; of equal ones the first. The job idles until S.
 *
 * The source's rule submits a job at once to an idle site, where it idles for hours. Where the caller names a
 * sufficient probability, the last instant that has it is taken instead.
 * Cost: one probability a step; (S − now) ÷ step of them.
 */
import { accepted, exactProduct, type Result, refused } from "../base/index.ts";

/** A requested slot. */
export interface WantedVirtualReservation {
  readonly procs: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Limits of the site, and the step between candidate instants. */
export interface VirtualReservationRules {
  /** Longest walltime of a job; `Infinity` where there is none. */
  readonly maxWallTimeMs: number;
  readonly stepMs: number;
  /**
   * Sufficient probability, 0 to 1: the last instant with this probability is taken. Null: the source's rule.
   */
  readonly enough: number | null;
}

/** The source's rule, without a walltime limit. */
export const VIRTUAL_RULES: VirtualReservationRules = {
  maxWallTimeMs: Number.POSITIVE_INFINITY,
  stepMs: 30_000,
  enough: null,
};

/** The instant of submission, the job, and its cost. */
export interface VirtualReservationPlan {
  readonly submitMs: number;
  /** Walltime of the job: D + (S − t). */
  readonly wallTimeMs: number;
  /** Probability of a start before S. */
  readonly probability: number;
  /** Upper bound of the idle time, in processor-milliseconds: (S − t)·n. */
  readonly mostIdleProcMs: number;
}

/** Reasons for a refusal, with the numbers. */
export type NoVirtualReservationPlan =
  | { readonly kind: "startsInPast"; readonly startMs: number; readonly nowMs: number }
  /** Even at the last instant the job would need a longer walltime than the site allows. */
  | { readonly kind: "wallTimeTooLong"; readonly wallTimeMs: number; readonly mostMs: number };

/**
 * The plan; where the probability is 0 at every instant, the plan of the first one.
 *
 * @param probabilityOfStart probability that a job with this walltime, submitted at this instant, starts
 * before S
 */
export function virtualReservation(
  wanted: WantedVirtualReservation,
  nowMs: number,
  probabilityOfStart: (submitMs: number, wallTimeMs: number) => number,
  { maxWallTimeMs, stepMs, enough }: VirtualReservationRules = VIRTUAL_RULES,
): Result<VirtualReservationPlan, NoVirtualReservationPlan> {
  const { procs, startMs, durationMs } = wanted;
  if (startMs <= nowMs) return refused({ kind: "startsInPast", startMs, nowMs });
  const planAt = (submitMs: number): VirtualReservationPlan => {
    const wallTimeMs = durationMs + startMs - submitMs;
    const probability = probabilityOfStart(submitMs, wallTimeMs);
    return { submitMs, wallTimeMs, probability, mostIdleProcMs: exactProduct(startMs - submitMs, procs) };
  };
  const lastMs = nowMs + stepMs * (Math.ceil((startMs - nowMs) / stepMs) - 1);
  const leastMs = durationMs + startMs - lastMs;
  if (leastMs > maxWallTimeMs) {
    return refused({ kind: "wallTimeTooLong", wallTimeMs: leastMs, mostMs: maxWallTimeMs });
  }
  const tooEarlyMs = durationMs + startMs - maxWallTimeMs - nowMs;
  const firstMs = nowMs + stepMs * Math.ceil(Math.max(0, tooEarlyMs) / stepMs);
  let best = planAt(firstMs);
  for (let submitMs = firstMs + stepMs; submitMs <= lastMs; submitMs += stepMs) {
    const plan = planAt(submitMs);
    if (isBetter(plan, best, enough)) best = plan;
  }
  return accepted(best);
}

function isBetter(
  later: VirtualReservationPlan,
  best: VirtualReservationPlan,
  enough: number | null,
): boolean {
  return (enough !== null && later.probability >= enough) || later.probability > best.probability;
}
