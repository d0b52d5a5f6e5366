/**
 * The combined scheme: a priced reservation, and a virtual one that may turn out to be cheaper.
 *
 * Source: [PROV] 6.4, (23), Fig. 45, as spec 30 restates it. The priced one is made first. When the job of
 * the virtual one starts at T₂ ≤ S, its idling and the penalty are weighed against the fixed price f.
 */
import { exactProduct } from "../base/index.ts";

/** What is weighed when the job of the virtual reservation has started; money is processor-milliseconds. */
export interface CombinedChoice {
  readonly procs: number;
  /** S, and T₂. */
  readonly startMs: number;
  readonly startedMs: number;
  /** f, and what cancelling the priced reservation costs: p·f, and what its site asks besides. */
  readonly fixedProcMs: number;
  readonly penaltyProcMs: number;
}

/** Whether a virtual reservation can save anything beside a priced one: not where f is nothing. */
export function isVirtualReservationWorthwhile(fixedProcMs: number): boolean {
  return fixedProcMs > 0;
}

/** (S − T₂)·n: what a job costs that has started and waits for its time. */
export function idleProcMs({
  procs,
  startMs,
  startedMs,
}: Pick<CombinedChoice, "procs" | "startMs" | "startedMs">): number {
  return exactProduct(Math.max(0, startMs - startedMs), procs);
}

/**
 * Which of the two is kept: the virtual one where (S − T₂)·n + p·f ≤ f. One that has started too late keeps
 * nothing.
 */
export function combinedChoice(choice: CombinedChoice): "virtual" | "priced" {
  const { startMs, startedMs, fixedProcMs, penaltyProcMs } = choice;
  if (startedMs > startMs) return "priced";
  return idleProcMs(choice) + penaltyProcMs <= fixedProcMs ? "virtual" : "priced";
}
