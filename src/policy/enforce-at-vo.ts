/**
 * What a virtual organisation lets go next, of which of its groups (PO-18): the V-PEP of [UP] slide 15.
 *
 * In terms of what jobs need: a group's next job is the one whose turn it is, and amounts are processors.
 * Where it goes is another question (`select-site`). Pure: the groups and the allocation go in, the jobs in
 * the order in which they are let go come out, with the case that let them.
 */

/** A group of a virtual organisation. */
export interface VoGroup {
  readonly consumer: string;
  /** In use now, or let go and not begun, over all sites; processors. */
  readonly inUse: number;
  /** Of the organisation's allocation: the share, the most at once, and beyond both to keep queues filled. */
  readonly epoch: number;
  readonly burst: number;
  readonly extra: number;
  /** Whether its use over the epoch is below its share. */
  readonly isBelowEpoch: boolean;
  /** The jobs that wait, in their order. */
  readonly waiting: readonly { readonly job: string; readonly procs: number }[];
}

/** A job that is let go, and by which case of the logic. */
export interface VoRelease {
  readonly consumer: string;
  readonly job: string;
  readonly case: "idle" | "capacity" | "contention" | "extra" | "backfill";
}

/** What the organisation decides. */
export interface VoDecision {
  readonly releases: readonly VoRelease[];
  /** Groups of which nothing more is let go while others are below their share. */
  readonly stopped: readonly string[];
}

/**
 * Goes through the groups again and again, a job of each at a time, until nothing more may go.
 *
 * @param allocation what the organisation has in all, over all sites; processors
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

/** The case that lets the next job of a group go; undefined where none does. */
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
