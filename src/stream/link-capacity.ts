/**
 * Capacity of a link: the declared value or, if lower, the measured one.
 *
 * It falls to what was achieved when that was below what was allocated for 30 s while no source was the
 * limit, and rises by 5 % per period while every session reaches its rate. The rule is ours.
 */

/** Sessions of a link in one period. */
export interface LinkPeriod {
  readonly nowMs: number;
  readonly declaredBytesPerSec: number;
  readonly allocatedBytesPerSec: readonly number[];
  readonly achievedBytesPerSec: readonly number[];
  /** True where the source of the session, and not the link, is the limit. */
  readonly isSourceLimited: readonly boolean[];
}

/** Facts about a link. */
export interface LinkCapacity {
  readonly bytesPerSec: number;
  /** Since when less was achieved than allocated; absent where all is well. */
  readonly shortSinceMs?: number;
}

const SHORT_MS = 30_000;
const RISE = 1.05;
/** Part of its rate that a session has to reach: measurements of a period are not exact. */
const REACHED = 0.98;

/** Capacity after a period; `before` is absent for the first. */
export function linkCapacityAfter(period: LinkPeriod, before?: LinkCapacity): LinkCapacity {
  const { nowMs, declaredBytesPerSec: declared, allocatedBytesPerSec: allocated } = period;
  const known = Math.min(declared, before?.bytesPerSec ?? declared);
  const reaches = period.achievedBytesPerSec.map((rate, at) => rate >= REACHED * allocated[at]);
  if (reaches.every((is) => is)) return { bytesPerSec: Math.min(declared, known * RISE) };
  const isLinkShort = reaches.every((is, at) => is || !period.isSourceLimited[at]);
  if (!isLinkShort) return { bytesPerSec: known };
  const shortSinceMs = before?.shortSinceMs ?? nowMs;
  if (nowMs - shortSinceMs < SHORT_MS) return { bytesPerSec: known, shortSinceMs };
  const achieved = period.achievedBytesPerSec.reduce((sum, rate) => sum + rate, 0);
  return { bytesPerSec: Math.min(known, achieved), shortSinceMs };
}

/** Bandwidth of a link for streams: its capacity less the margin and other traffic. */
export function inboundFor(capacityBytesPerSec: number, margin: number, othersBytesPerSec = 0): number {
  return Math.max(0, capacityBytesPerSec * (1 - margin) - othersBytesPerSec);
}
