/**
 * A queue as it is now, played forward first come first served, as FO-114 and QU-1 say it: second by
 * second, each job in its order into the first of its pools that nobody before it waits for, if it fits there
 * to the end of its limit beside what runs and what is reserved.
 */
import type { LiveAmounts, LiveQueue } from "../../src/model/index.ts";

const SECOND_MS = 1000;

/** What has its place in a pool, in seconds from the look. */
interface Place {
  readonly pool: number;
  readonly need: LiveAmounts;
  readonly fromSec: number;
  readonly untilSec: number;
}

/** When each of those that wait starts, in seconds from the look. */
export function plainLiveStarts(queue: LiveQueue): Readonly<Record<string, number>> {
  const seconds = (atMs: number): number => (atMs - queue.atMs) / SECOND_MS;
  const places: Place[] = [...queue.running, ...queue.reserved].map((it) => ({
    ...{ pool: it.pool, need: it.need },
    ...{ fromSec: seconds(it.startAtMs), untilSec: seconds(it.endAtMs) },
  }));
  const starts: Record<string, number> = {};
  for (let nowSec = 0; Object.keys(starts).length < queue.waiting.length; nowSec += 1) {
    const blocked = new Set<number>();
    for (const { siteJob, need, limitMs, pools } of queue.waiting) {
      if (starts[siteJob] !== undefined) continue;
      const place = { need, fromSec: nowSec, untilSec: nowSec + limitMs / SECOND_MS };
      // Pools are tried in the order of the site, whatever the order in which a job names them (QU-6).
      const inOrder = [...pools].sort((one, other) => one - other);
      const pool = inOrder.find((at) => !blocked.has(at) && fits(queue, places, { ...place, pool: at }));
      if (pool === undefined) for (const at of pools) blocked.add(at);
      else {
        places.push({ ...place, pool });
        starts[siteJob] = nowSec;
      }
    }
  }
  return starts;
}

function fits({ pools, countsMemory }: LiveQueue, places: readonly Place[], place: Place): boolean {
  for (let sec = place.fromSec; sec < place.untilSec; sec += 1) {
    const there = places.filter((it) => it.pool === place.pool && it.fromSec <= sec && sec < it.untilSec);
    for (const [column, most] of pools[place.pool].capacity.entries()) {
      if (column === 1 && !countsMemory) continue;
      const used = there.reduce((sum, { need }) => sum + need[column], place.need[column]);
      if (used > most) return false;
    }
  }
  return true;
}
