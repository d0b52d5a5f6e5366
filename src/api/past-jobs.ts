/** Jobs that ended at a site in a period, as far as the caller may see them, as a workload. */
import { jobsWithin } from "../engine/index.ts";
import { type PastJob, pastLines } from "../formats/workload-jsonl/index.ts";
import { type Identity, type JobRecord, jobRunTime, type SiteSpec } from "../model/index.ts";
import type { BrokerApi, JobQuery } from "../runtime/index.ts";
import { ProblemError } from "./problem.ts";
import { seenOf } from "./within-sight.ts";

/** Most jobs of a period. */
const MOST_JOBS = 50_000;
const PAGE = 1000;

/** Period at a site, of its broker's jobs. Instants are Unix ms. */
export interface PastAsked {
  readonly site: string;
  readonly spec: SiteSpec;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Lines of the workload. @throws ProblemError `noPastJobs`, `tooManyPastJobs` */
export async function pastWorkload(
  brokerApi: BrokerApi,
  who: Identity,
  { site, spec, fromMs, untilMs }: PastAsked,
): Promise<readonly string[]> {
  const { procs, memoryBytes, gpus, defaultWallTimeMs } = spec;
  const asked: JobQuery = { site, time: "ended", sinceMs: fromMs, untilMs, limit: PAGE };
  const query = seenOf(asked, jobsWithin(who, "seeJob"));
  const records = query === undefined ? [] : await everyJob(brokerApi, query, site);
  const jobs = records.flatMap((record) => pastJob(record, defaultWallTimeMs));
  if (jobs.length === 0) throw noPastJobs(site);
  const size = { procs, memoryBytes: memoryBytes || undefined, gpus: gpus || undefined };
  return pastLines({ site, ...size, fromMs, untilMs, jobs });
}

async function everyJob(brokerApi: BrokerApi, query: JobQuery, site: string): Promise<readonly JobRecord[]> {
  const found: JobRecord[] = [];
  for (let after: string | undefined; ; ) {
    const { items, next } = await brokerApi.jobs(after === undefined ? query : { ...query, after });
    found.push(...items);
    if (found.length > MOST_JOBS) throw tooManyPastJobs(site);
    if (next === undefined) return found;
    after = next;
  }
}

/** None for a job that never started. */
function pastJob(record: JobRecord, defaultWallTimeMs: number): readonly PastJob[] {
  const { id, consumer, submittedAtMs, description, earlierRuns = [] } = record;
  const startedAtMs = earlierRuns[0]?.fromMs ?? record.startedAtMs;
  if (startedAtMs === null || record.result === "imitated") return [];
  const { procs, memoryBytes, gpus, wallTimeMs = defaultWallTimeMs } = description;
  const at = consumer.lastIndexOf("/");
  return [
    {
      ...{ id, submittedAtMs, startedAtMs, ranMs: jobRunTime(record).ranMs, limitMs: wallTimeMs },
      ...{
        procs,
        memoryBytes,
        gpus,
        user: consumer.slice(at + 1),
        group: consumer.slice(0, Math.max(0, at)),
      },
    },
  ];
}

function noPastJobs(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "noPastJobs",
    what: `there is nothing to simulate: no job that you may see ended at ${site} in that period`,
    why: "a simulation of the past replays jobs that ran",
    remedy: "take a longer period, another site, or upload a record of its accounting",
    facts: { site },
  });
}

function tooManyPastJobs(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "tooManyPastJobs",
    what: `the period at ${site} is too long to be simulated`,
    why: `more than ${MOST_JOBS} jobs ended in it`,
    remedy: "take a shorter period",
    facts: { site },
  });
}
