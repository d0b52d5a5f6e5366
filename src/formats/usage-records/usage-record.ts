/** Use of one job, as every form of usage records has it. */
import type { JobView } from "../../contract/index.ts";

/** Benchmark value of the processors that were used. */
interface ServiceLevel {
  /** Such as HEPSPEC or Si2k. */
  readonly type: string;
  readonly value: string;
}

/** Data that an export adds to the jobs. */
export interface UsageRecordOptions {
  /** Host of the broker that exports. */
  readonly host: string;
  /** Name of the site in the accounting; its own where absent. */
  readonly siteName?: string;
  readonly serviceLevel?: ServiceLevel;
  /** Name that replaces the one of a person. */
  readonly nameOf: (name: string) => string;
  readonly nowMs: number;
}

/** Use of one job. Lengths in whole seconds. */
export interface UsageRecord {
  readonly recordId: string;
  readonly createdAt: string;
  readonly site: string;
  readonly submitHost: string;
  readonly queue: string;
  readonly globalJobId: string;
  readonly localJobId: string;
  readonly jobName: string | null;
  readonly localUserId: string;
  readonly globalUserName: string;
  readonly vo: string;
  /** Groups below the VO, as `/vo/group`. */
  readonly group: string;
  readonly wallSec: number;
  /** Null: not measured. */
  readonly cpuSec: number | null;
  readonly processors: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exitStatus: number | null;
  readonly status: "completed" | "failed" | "aborted";
  readonly serviceLevel: ServiceLevel | null;
}

/** Records as text: what comes first, one for each record, what comes last. */
export interface UsageWriter {
  readonly head: string;
  readonly record: (record: UsageRecord) => string;
  readonly foot: string;
}

/** Use of a job that has ended; undefined for one that never ran. */
export function usageRecordOf(job: JobView, options: UsageRecordOptions): UsageRecord | undefined {
  if (job.startedAt === null || job.endedAt === null || job.site === null) return undefined;
  const { host, siteName = job.site, nameOf, nowMs, serviceLevel = null } = options;
  const [vo = "", ...below] = job.consumer.split("/");
  const groups = below.slice(0, -1);
  return {
    recordId: `${host}/stint/${job.id}`,
    createdAt: new Date(nowMs).toISOString(),
    site: siteName,
    submitHost: `${host}/${job.site}`,
    queue: job.site,
    globalJobId: `${host}/${job.id}`,
    localJobId: job.siteJob ?? job.id,
    jobName: job.name,
    localUserId: nameOf(job.owner),
    globalUserName: nameOf(job.consumer),
    vo,
    group: `/${[vo, ...groups].join("/")}`,
    wallSec: Math.round(job.ranSec),
    cpuSec: job.cpuSec === null ? null : Math.round(job.cpuSec),
    processors: job.procs,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
    exitStatus: job.exitCode,
    status: statusOf(job),
    serviceLevel,
  };
}

function statusOf({ state, endState, result }: JobView): UsageRecord["status"] {
  if ((endState ?? state) !== "DONE") return "aborted";
  return result === "failed" ? "failed" : "completed";
}
