/**
 * Rows per job of a simulated workload, as CSV, in order of submission (rule SI-6).
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { DoneJob } from "./play-state.ts";
import type { PreparedWorkload } from "./prepare.ts";

const COLUMNS =
  "job_id,pool,submit,start,end,procs,memory,gpus,wait,runtime,estimate,user,planned_start,backfilled";

/**
 * Writes a row for each job that came to its end; times in seconds since the first submission.
 *
 * @throws Fault as every file that is written
 */
export async function writeWorkloadJobs(
  path: string,
  { site }: PreparedWorkload,
  done: readonly DoneJob[],
): Promise<void> {
  const rows = done
    .toSorted((one, other) => one.job.id - other.job.id)
    .map((row) => rowOf(row, site.pools[row.pool].name));
  await writeSafeFile(path, `${COLUMNS}\n${rows.join("")}`);
}

function rowOf({ job, startMs, endMs, promisedMs, backfilled }: DoneJob, pool: string): string {
  const times = [job.submitMs, startMs, endMs].map(seconds);
  const amounts = [job.need[0], job.memoryBytes, job.gpus];
  const lengths = [startMs - job.submitMs, job.runtimeMs, job.estimateMs].map(seconds);
  const planned = promisedMs === undefined ? "" : seconds(promisedMs);
  const cells = [cell(job.name), cell(pool), ...times, ...amounts, ...lengths, cell(job.user), planned];
  return `${[...cells, backfilled ? 1 : 0].join(",")}\n`;
}

function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** A text as a field of CSV. */
function cell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
