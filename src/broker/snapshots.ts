/**
 * The last look at a whole cluster, for everybody who asks within a while.
 *
 * A look is several commands of the batch system, so however many people ask, it is taken no more often
 * than that; those who ask while one is under way share it. Of one that fails nothing is kept. Who misses
 * something in it waits for the next look at the queue, which is taken anyway.
 */
import type { ClusterSnapshot } from "../model/index.ts";
import type { Clock, ForeignSite } from "../runtime/index.ts";

/** No snapshot is given that is older than so many intervals of looks at the queue. */
const FRESH_INTERVALS = 6;
/** Where the queue is not looked at in time, and the last look is older than this. */
const AGAIN_INTERVALS = 5;
/** So long a person waits for what is not in the last one. */
const AGAIN_WITHIN_MS = 20_000;

/**
 * Gives the cluster as it is, or was a moment ago.
 *
 * @param shows where the last look does not show this, the cluster as it is after the next one
 */
export type Snapshots = (shows?: (snapshot: ClusterSnapshot) => boolean) => Promise<ClusterSnapshot>;

/** What it needs of the broker. */
export interface SnapshotWorld {
  readonly clock: Pick<Clock, "nowMs" | "wakeAt">;
  /** Resolves when the queue was seen as it was at an instant or later. */
  readonly seenAt: (atMs: number) => Promise<void>;
}

/** What gives the snapshots of a site; undefined where it shows no more than its queue. */
export function snapshotsOf(site: ForeignSite, { clock, seenAt }: SnapshotWorld): Snapshots | undefined {
  const { snapshot, surveyEveryMs } = site;
  if (snapshot === undefined) return undefined;
  let last: { readonly takenAtMs: number; readonly looking: Promise<ClusterSnapshot> } | undefined;
  const takenWithin = (freshMs: number): Promise<ClusterSnapshot> => {
    const nowMs = clock.nowMs();
    const isFresh = last !== undefined && nowMs >= last.takenAtMs && nowMs - last.takenAtMs < freshMs;
    if (last !== undefined && isFresh) return last.looking;
    const looking = snapshot.call(site);
    const mine = { takenAtMs: nowMs, looking };
    last = mine;
    looking.catch(() => {
      if (last === mine) last = undefined;
    });
    return looking;
  };
  return async (shows = () => true) => {
    const askedAtMs = clock.nowMs();
    const known = await takenWithin(FRESH_INTERVALS * surveyEveryMs);
    if (shows(known) || last === undefined || last.takenAtMs >= askedAtMs) return known;
    await atMost(clock, AGAIN_WITHIN_MS, seenAt(askedAtMs));
    const waitedMs = clock.nowMs() - askedAtMs;
    // Whoever came meanwhile shares it.
    return takenWithin(waitedMs < AGAIN_WITHIN_MS ? waitedMs : AGAIN_INTERVALS * surveyEveryMs);
  };
}

/** Resolves with `event`, or when the time is over. */
function atMost(clock: Pick<Clock, "nowMs" | "wakeAt">, ms: number, event: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.wakeAt(clock.nowMs() + ms, resolve);
    void event.then(() => {
      cancel();
      resolve();
    });
  });
}
