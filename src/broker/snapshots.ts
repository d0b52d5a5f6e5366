/**
 * The last look at a whole cluster, for everybody who asks within a while.
 *
 * A look is several commands of the batch system, so however many people ask, it is taken no more often
 * than that; those who ask while one is under way share it. Of one that fails nothing is kept.
 */
import type { ClusterSnapshot } from "../model/index.ts";
import type { Clock, ForeignSite } from "../runtime/index.ts";

/** No snapshot is given that is older. */
const FRESH_MS = 30_000;

/** Gives the cluster as it is, or was a moment ago. */
export type Snapshots = () => Promise<ClusterSnapshot>;

/** What gives the snapshots of a site; undefined where it shows no more than its queue. */
export function snapshotsOf(site: ForeignSite, clock: Pick<Clock, "nowMs">): Snapshots | undefined {
  const { snapshot, surveyEveryMs } = site;
  if (snapshot === undefined) return undefined;
  const freshMs = Math.max(FRESH_MS, surveyEveryMs);
  let last: { readonly takenAtMs: number; readonly looking: Promise<ClusterSnapshot> } | undefined;
  return () => {
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
}
