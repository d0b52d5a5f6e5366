/** The value of a point, from the files of its job at its site. */
import { accepted, type Result, refused } from "../../base/index.ts";
import { attemptToken, endOfJob, type JobRecord, type Objective, runStateOf } from "../../model/index.ts";
import { objectiveIn } from "../../plan/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";

/** Most of a file that is read: of an output its end. */
const MOST_BYTES = 1 << 20;

/**
 * The value of a job that is over; null where it failed, which is no error of the search. Rejects where its
 * site cannot be asked now.
 */
export async function readObjective(
  objective: Objective,
  job: JobRecord,
  files: SiteFiles | undefined,
): Promise<Result<number | null, string>> {
  if (objective.kind === "exitCode") return accepted(runStateOf(job) === "DONE" ? job.exitCode : null);
  if (endOfJob(job) !== "ok") return accepted(null);
  if (files === undefined) return refused("its site is gone");
  const name = objective.file ?? job.description.stdOutput;
  const token = attemptToken(job.id, job.attempt);
  const size = (await files.readFile(token, name, 0, 0))?.sizeBytes;
  if (size === undefined) return refused(`it has no file ${name}`);
  if (objective.kind === "json" && size > MOST_BYTES) return refused(`${name} is larger than 1 MiB`);
  const text = await endOfFile(files, { token, name, size });
  const value = objectiveIn(objective, text);
  return value.ok ? value : refused(`${name}: ${value.refusal}`);
}

async function endOfFile(
  files: SiteFiles,
  { token, name, size }: { readonly token: string; readonly name: string; readonly size: number },
): Promise<string> {
  const parts: Uint8Array[] = [];
  let at = Math.max(0, size - MOST_BYTES);
  while (at < size) {
    const part = await files.readFile(token, name, at, size - at);
    if (part === undefined || part.bytes.length === 0) break;
    parts.push(part.bytes);
    at += part.bytes.length;
  }
  return Buffer.concat(parts).toString("utf8");
}
