/**
 * Rows per job of a comparison, as CSV: when it started really, under today's rules, under the changed ones.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { StartedJob } from "./play-record.ts";

const COLUMNS = "job_id,queue,group,user,procs,eligible,recorded_start,baseline_start,changed_start";

/**
 * Writes the starts of jobs; times in seconds since the beginning of the record, empty where there is none.
 *
 * @throws Fault as every file that is written
 */
export async function writeStarts(
  path: string,
  started: readonly StartedJob[],
  changedStartMs: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = started.map((job) => {
    const { name, queue, group, user, procs, eligibleMs, recordedStartMs, startMs } = job;
    const times = [eligibleMs, recordedStartMs, startMs, changedStartMs.get(name)].map(seconds);
    return `${[...[name, queue, group, user].map(cell), procs, ...times].join(",")}\n`;
  });
  await writeSafeFile(path, `${COLUMNS}\n${rows.join("")}`);
}

function seconds(ms: number | undefined): number | string {
  return ms === undefined ? "" : ms / MS_PER_SECOND;
}

/** A text as a field of CSV. */
function cell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
