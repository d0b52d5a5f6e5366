/**
 * Scheduling decisions of a virtual organisation: which group starts its next job. The V-PEP of [UP] slide
 * 15.
 *
 * For each group with EP, BP and extra jobs BE, at the allocation over all sites: (1) nothing of it in use
 * and within BP + BE: schedule one; (2) capacity left and within BP: schedule one; (3) the allocation is full
 * and it is below EP: stop the groups over EP, schedule one more below EP + BE, and backfill jobs while it is
 * below EP over the epoch. Amounts are processors. Groups take turns, one job each, in the given order; a
 * group without waiting jobs blocks no other. The site is chosen by `select-site`.
 */

/** A group of a virtual organisation. */
export interface VoGroup {
  readonly consumer: string;
  /** Processors of running and released jobs, over all sites. */
  readonly inUse: number;
  /**
   * Processors of the allocation: the epoch share, the burst share, and an extra beyond both to keep queues
   * filled.
   */
  readonly epoch: number;
  readonly burst: number;
  readonly extra: number;
  /** True while use over the epoch is below the epoch share. */
  readonly isBelowEpoch: boolean;
  /** Waiting jobs, in order. */
  readonly waiting: readonly { readonly job: string; readonly procs: number }[];
}

/** A released job, and the case of the logic that released it. */
export interface VoRelease {
  readonly consumer: string;
  readonly job: string;
  readonly case: "idle" | "capacity" | "contention" | "extra" | "backfill";
}

/** Released jobs, in order, and stopped groups. */
export interface VoDecision {
  readonly releases: readonly VoRelease[];
  /** Groups that release nothing more while others are below their share. */
  readonly stopped: readonly string[];
}

/**
 * Repeats turns of the groups, one job each, until no more may be released.
 *
 * @param allocation processors of the organisation over all sites
 */
export function enforceAtVo(groups: readonly VoGroup[], allocation: number): VoDecision {
  const seats = groups.map((group) => ({ group, inUse: group.inUse, next: 0, hasBackfill: false }));
  const releases: VoRelease[] = [];
  const stopped = new Set<string>();
  for (let isGoing = true; isGoing; ) {
    isGoing = false;
    for (const seat of seats) {
      const inUseByAll = seats.reduce((sum, { inUse }) => sum + inUse, 0);
      const release = releaseOf(seat, inUseByAll, allocation);
      if (release === undefined || stopped.has(seat.group.consumer)) continue;
      if (release === "contention") {
        for (const other of seats) {
          if (other !== seat && other.inUse > other.group.epoch) stopped.add(other.group.consumer);
        }
      }
      const { job, procs } = seat.group.waiting[seat.next];
      seat.next += 1;
      seat.inUse += procs;
      if (release === "backfill") seat.hasBackfill = true;
      releases.push({ consumer: seat.group.consumer, job, case: release });
      isGoing = true;
    }
  }
  return { releases, stopped: [...stopped] };
}

interface Seat {
  readonly group: VoGroup;
  inUse: number;
  next: number;
  hasBackfill: boolean;
}

/** The case that releases the next job of a group; undefined where none does. */
function releaseOf(
  { group, inUse, next, hasBackfill }: Seat,
  inUseByAll: number,
  allocation: number,
): VoRelease["case"] | undefined {
  const { burst, epoch, extra, isBelowEpoch, waiting } = group;
  if (next >= waiting.length) return undefined;
  const wanted = inUse + waiting[next].procs;
  if (inUse === 0 && wanted <= burst + extra) return "idle";
  if (inUseByAll + waiting[next].procs <= allocation && wanted <= burst) return "capacity";
  if (inUseByAll + waiting[next].procs > allocation) {
    if (wanted <= epoch) return "contention";
    if (inUse < epoch + extra && wanted <= epoch + extra) return "extra";
    if (isBelowEpoch && !hasBackfill && inUse < epoch) return "backfill";
  }
  return undefined;
}
