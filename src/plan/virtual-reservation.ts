/**
 * Virtual advance reservation: when to submit a job so that it probably runs at a wanted instant.
 *
 * Source: [PROV] 6.1, Fig. 33, after [NBW07], as spec 30 restates it. Time is gone through in steps from now
 * to the start S. A job submitted at t must last until the end of the reservation, however early it starts:
 * D + (S − t). Of the instants whose limit the site allows, the one is taken at which such a job is most
 * probably started before S; of equal ones the first. The job waits idle until S.
 *
 * The source's rule submits a job at once to a site where nobody waits, and lets it idle for hours. Where
 * the caller says which probability is enough, the last instant that has it is taken instead.
 * Cost: one probability a step; (S − now) ÷ step of them.
 */
import { accepted, exactProduct, type Result, refused } from "../base/index.ts";

/** A slot that is wanted. */
export interface WantedVirtualReservation {
  readonly procs: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** What a site allows, and how finely time is gone through. */
export interface VirtualReservationRules {
  /** The longest limit that a job may have; `Infinity` where there is none. */
  readonly maxWallTimeMs: number;
  readonly stepMs: number;
  /** From 0 to 1: the last instant with this probability is taken; null: the source's rule. */
  readonly enough: number | null;
}

/** The source's rule, without a limit. */
export const VIRTUAL_RULES: VirtualReservationRules = {
  maxWallTimeMs: Number.POSITIVE_INFINITY,
  stepMs: 30_000,
  enough: null,
};

/** When to submit which job, and what comes of it. */
export interface VirtualReservationPlan {
  readonly submitMs: number;
  /** D + (S − t). */
  readonly wallTimeMs: number;
  /** That it has started before S. */
  readonly probability: number;
  /** (S − t)·n: it idles no more than this, in processor-milliseconds. */
  readonly mostIdleProcMs: number;
}

/** Why there is no such plan. */
export type NoVirtualReservationPlan =
  | { readonly kind: "startsInPast"; readonly startMs: number; readonly nowMs: number }
  /** Even the last job would have to ask for more than the site allows. */
  | { readonly kind: "wallTimeTooLong"; readonly wallTimeMs: number; readonly mostMs: number };

/**
 * The plan. Without any probability at any instant it is that of the first instant, with probability 0.
 *
 * @param probabilityOfStart that a job with this limit, submitted at this instant, starts before S
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

/** Whether a later one is to be taken. */
function isBetter(
  later: VirtualReservationPlan,
  best: VirtualReservationPlan,
  enough: number | null,
): boolean {
  return (enough !== null && later.probability >= enough) || later.probability > best.probability;
}
