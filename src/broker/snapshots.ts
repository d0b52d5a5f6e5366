/**
 * The last snapshot of a whole cluster, shared by all requests within an interval.
 *
 * A snapshot takes several commands of the batch system, so it is taken no more often than that for any
 * number of requests; requests while one is under way share it. A failed one is not stored. A request that
 * needs newer data waits for the next survey of the queue, which takes place anyway.
 */
import type { ClusterSnapshot } from "../model/index.ts";
import type { Clock, ForeignSite } from "../runtime/index.ts";

/** Maximum age of a snapshot, in intervals of surveys. */
const FRESH_INTERVALS = 6;
/** A snapshot of this age, in intervals, is renewed where no survey comes in time. */
const AGAIN_INTERVALS = 5;
/** Longest wait for a new snapshot where the last one does not show what was asked for. */
const AGAIN_WITHIN_MS = 20_000;

/**
 * Gives the cluster as it is, or was a moment ago.
 *
 * @param shows where the last look does not show this, the cluster as it is after the next one
 */
export type Snapshots = (shows?: (snapshot: ClusterSnapshot) => boolean) => Promise<ClusterSnapshot>;

/** Dependencies on the broker. */
export interface SnapshotWorld {
  readonly clock: Pick<Clock, "nowMs" | "wakeAt">;
  /** Resolves when a survey shows the queue at that instant or later. */
  readonly seenAt: (atMs: number) => Promise<void>;
}

/** Snapshots of a site; undefined where it shows only its queue. */
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
