/**
 * Use of processors that is forgotten with a half-life, exactly and lazily.
 *
 * The use U of somebody who has r processors obeys U' = r − U·ln 2 ÷ h, so over a stretch of length Δ
 * without a start or an end U becomes U·d + r·(h ÷ ln 2)·(1 − d) with d = 2^(−Δ/h). Nothing is touched
 * between starts and ends. Half-lives as in [SLURM-MF] and [CONDOR].
 * Cost: O(1) at every start, end and question.
 */
import { assert } from "../../base/index.ts";

/** Decaying use of one consumer, in processor-milliseconds. */
export interface DecayingUsage {
  usedProcMs: number;
  procs: number;
  asOfMs: number;
}

/** Nothing used yet. */
export function noUsage(): DecayingUsage {
  return { usedProcMs: 0, procs: 0, asOfMs: 0 };
}

/** The use at an instant, not before the last change; a half-life of null forgets nothing. */
export function usageAt(usage: DecayingUsage, atMs: number, halfLifeMs: number | null): number {
  const { usedProcMs, procs, asOfMs } = usage;
  const stretchMs = atMs - asOfMs;
  if (halfLifeMs === null) return usedProcMs + procs * stretchMs;
  const kept = 2 ** (-stretchMs / halfLifeMs);
  return usedProcMs * kept + procs * (halfLifeMs / Math.LN2) * (1 - kept);
}

/** From this instant on `change` processors more (less, where negative) are in use. */
export function changeUse(
  usage: DecayingUsage,
  change: number,
  { atMs, halfLifeMs }: { readonly atMs: number; readonly halfLifeMs: number | null },
): void {
  assert(atMs >= usage.asOfMs, "starts and ends are told in order of time");
  usage.usedProcMs = usageAt(usage, atMs, halfLifeMs);
  usage.procs += change;
  usage.asOfMs = atMs;
}
