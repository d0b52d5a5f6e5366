/**
 * The combined scheme: a priced reservation, beside a virtual one that may become cheaper.
 *
 * Source: [PROV] 6.4, (23), Fig. 45, as spec 30 restates it. The priced reservation is made first. When the
 * job of the virtual one starts at T₂ ≤ S, its idle time and the penalty are compared with the fixed price f.
 */
import { exactProduct } from "../base/index.ts";

/**
 * Terms of the choice, when the job of the virtual reservation has started; money in processor-milliseconds.
 */
export interface CombinedChoice {
  readonly procs: number;
  /** S, the start of the reservation, and T₂, the start of the job. */
  readonly startMs: number;
  readonly startedMs: number;
  /** f, and the cost of cancelling the priced reservation: p·f plus what the site charges besides. */
  readonly fixedProcMs: number;
  readonly penaltyProcMs: number;
}

/** False where f is 0: a virtual reservation saves nothing then. */
export function isVirtualReservationWorthwhile(fixedProcMs: number): boolean {
  return fixedProcMs > 0;
}

/** (S − T₂)·n: the cost of a job that has started and idles until the reservation begins. */
export function idleProcMs({
  procs,
  startMs,
  startedMs,
}: Pick<CombinedChoice, "procs" | "startMs" | "startedMs">): number {
  return exactProduct(Math.max(0, startMs - startedMs), procs);
}

/**
 * The virtual reservation where (S − T₂)·n + p·f ≤ f (rule PL-7), else the priced one; also where the job
 * started after S.
 */
export function combinedChoice(choice: CombinedChoice): "virtual" | "priced" {
  const { startMs, startedMs, fixedProcMs, penaltyProcMs } = choice;
  if (startedMs > startMs) return "priced";
  return idleProcMs(choice) + penaltyProcMs <= fixedProcMs ? "virtual" : "priced";
}
