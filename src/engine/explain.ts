/**
 * Why a job is where it is (rule EN-11).
 *
 * Every cause that holds at once; the start predicted by playing the site's queue forward; and whether
 * fewer processors or a shorter limit would start it now, each tried on a copy of the queue.
 */
import type { Explanation, HelpfulChange, JobRecord, WaitCause } from "../model/index.ts";
import { inQueueOrder } from "../queue/index.ts";
import { effectiveState } from "./answer.ts";
import { predictedStart } from "./predicted-start.ts";
import { type Projection, plannedNeedOf, type SiteState, siteOf } from "./projection.ts";
import { copyQueue, note, settle } from "./site-queue.ts";

/** Limits are tried in whole minutes, the unit in which people choose them. */
const MINUTE_MS = 60_000;

/** Explains a job that is not over. */
export function explain(projection: Projection, job: JobRecord, nowMs: number): Explanation {
  const { id, site } = job;
  const state = effectiveState(job);
  const bare = { job: id, state: job.state, predictedStartAtMs: null, method: null, helpfulChanges: [] };
  if (state === "HELD") return { ...bare, causes: [{ kind: "held" }] };
  if (state === "SUSPENDED") return { ...bare, causes: [{ kind: "suspended" }] };
  if (state === "RUNNING" && site !== null) {
    return { ...bare, causes: [{ kind: job.state === "RUNNING" ? "running" : "starting", site }] };
  }
  if (site === null) return { ...bare, causes: [{ kind: "placing" }] };
  return { ...bare, ...inQueue(siteOf(projection, site), job, nowMs) };
}

function inQueue(site: SiteState, job: JobRecord, nowMs: number) {
  const startMs = predictedStart(copyQueue(site.queue), job.id, nowMs);
  return {
    causes: [...shortages(site, job), ...jobsAhead(site, job)],
    predictedStartAtMs: startMs === Number.POSITIVE_INFINITY ? null : startMs,
    method: "schedule" as const,
    helpfulChanges: startMs <= nowMs ? [] : helpfulChanges(site, job, nowMs),
  };
}

function shortages(site: SiteState, job: JobRecord): WaitCause[] {
  const free = freeNow(site);
  const { cpuNumber, memoryBytes = 0 } = job.description;
  const causes: WaitCause[] = [];
  if (cpuNumber > free.procs) {
    causes.push({ kind: "procsBusy", site: site.name, needed: cpuNumber, free: free.procs });
  }
  if (memoryBytes > free.memoryBytes) {
    const bytes = { neededBytes: memoryBytes, freeBytes: free.memoryBytes };
    causes.push({ kind: "memoryBusy", site: site.name, ...bytes });
  }
  return causes;
}

/** What no running job uses. */
export function freeNow({ spec, queue }: SiteState): { procs: number; memoryBytes: number } {
  const free = { procs: spec.procs, memoryBytes: spec.memoryBytes };
  const [procs, memory] = queue.machine.jobs.need;
  for (const job of queue.running) {
    const handle = queue.handleOf.get(job);
    if (handle === undefined) continue;
    free.procs -= procs[handle];
    free.memoryBytes -= memory[handle];
  }
  return free;
}

function jobsAhead({ name, queue }: SiteState, job: JobRecord): WaitCause[] {
  const { handles, count } = inQueueOrder(queue.machine);
  const own = queue.handleOf.get(job.id);
  const [procs] = queue.machine.jobs.need;
  let wanted = 0;
  let jobs = 0;
  for (; jobs < count && handles[jobs] !== own; jobs++) wanted += procs[handles[jobs]];
  return jobs === 0 ? [] : [{ kind: "jobsAhead", site: name, jobs, procs: wanted }];
}

function helpfulChanges(site: SiteState, job: JobRecord, nowMs: number): HelpfulChange[] {
  const { need, estimateMs } = plannedNeedOf(job, site.spec);
  const [procs, ...others] = need;
  const startsNow = (tried: readonly number[], limitMs: number): boolean => {
    const queue = copyQueue(site.queue);
    note(queue, { kind: "cancel", job: job.id });
    note(queue, { kind: "arrive", job: `${job.id}?`, need: tried, estimateMs: limitMs });
    return settle(queue, nowMs).includes(`${job.id}?`);
  };
  const changes: HelpfulChange[] = [];
  const cpuNumber = largestThat(procs - 1, (fewer) => startsNow([fewer, ...others], estimateMs));
  if (cpuNumber > 0) changes.push({ kind: "fewerProcs", cpuNumber });
  const marginMs = estimateMs - (job.description.wallTimeMs ?? site.spec.defaultWallTimeMs);
  const minutes = Math.ceil((estimateMs - marginMs) / MINUTE_MS) - 1;
  const shorter = largestThat(minutes, (tried) => startsNow(need, tried * MINUTE_MS + marginMs));
  if (shorter > 0) changes.push({ kind: "shorterLimit", wallTimeMs: shorter * MINUTE_MS });
  return changes;
}

/** The largest number in 1 … most for which something holds that holds for all smaller ones; else 0. */
function largestThat(most: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
