/**
 * A queue as it is now, as the lines of a workload file. Instants are dates in UTC, lengths are seconds.
 *
 * What runs is written as begun a second before, so that it is there when the period begins; who waits comes
 * when it begins, in the order of the file.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { LiveAmounts, LiveQueue, LiveRectangle, LiveWaiting } from "../../model/index.ts";
import { instant, type Line, written } from "./write-line.ts";

/** The lines, without their ends: the period, the pools, reservations, what runs, and who waits in order. */
export function liveLines(queue: LiveQueue): readonly string[] {
  const { atMs, running, reserved, waiting } = queue;
  const pools = queue.pools.map(({ capacity, name }) => ({ pool: name, ...amounts(queue, capacity) }));
  return [
    { period: instant(atMs) },
    ...pools,
    ...reserved.map((it, at) => reservationLine(queue, it, `reservation ${at + 1}`)),
    ...running.map((it, at) => runningLine(queue, it, `running ${at + 1}`)),
    ...waiting.map((it) => waitingLine(queue, it)),
  ].map(written);
}

function reservationLine(queue: LiveQueue, rectangle: LiveRectangle, name: string): Line {
  const { pool, need, startAtMs, endAtMs } = rectangle;
  return {
    reservation: name,
    pool: queue.pools[pool].name,
    start: instant(startAtMs),
    duration: (endAtMs - startAtMs) / MS_PER_SECOND,
    ...amounts(queue, need),
  };
}

function runningLine(queue: LiveQueue, { pool, need, endAtMs }: LiveRectangle, name: string): Line {
  const begun = instant(queue.atMs - MS_PER_SECOND);
  return {
    job: name,
    submit: begun,
    recordedStart: begun,
    runtime: (endAtMs - queue.atMs) / MS_PER_SECOND + 1,
    ...amounts(queue, need),
    pools: [queue.pools[pool].name],
  };
}

function waitingLine(queue: LiveQueue, job: LiveWaiting): Line {
  const { expectedStartAtMs, limitMs, user, account } = job;
  return {
    job: job.siteJob,
    submit: instant(queue.atMs),
    recordedStart: expectedStartAtMs === null ? undefined : instant(expectedStartAtMs),
    limit: limitMs / MS_PER_SECOND,
    ...amounts(queue, job.need),
    pools: job.pools.map((pool) => queue.pools[pool].name),
    queue: job.queue === "" ? undefined : job.queue,
    user: user ?? undefined,
    group: account ?? undefined,
  };
}

function amounts({ countsMemory, pools }: LiveQueue, [procs, memoryBytes, gpus]: LiveAmounts): Line {
  const hasGpus = pools.some(({ capacity }) => capacity[2] > 0);
  return { procs, memory: countsMemory ? memoryBytes : undefined, gpus: hasGpus ? gpus : undefined };
}
