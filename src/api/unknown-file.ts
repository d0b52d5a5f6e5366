/** Problems for files that a job does not have, with the reason: not started, removed, or another name. */
import { utcText } from "../base/index.ts";
import type { JobRecord } from "../model/index.ts";

import { ProblemError } from "./problem.ts";

type FileOwner = Pick<JobRecord, "id" | "state" | "startedAtMs" | "retired">;

/** Problem for a job without this file in its directory. */
export function unknownFile(job: FileOwner, file: string): ProblemError {
  return new ProblemError({
    ...{ status: 404, code: "unknownFile" },
    what: `job ${job.id} has no file ${file}`,
    ...reasonOf(job),
    facts: { job: job.id, file },
  });
}

/** Problem for a state of a job that does not contain this file. */
export function unknownStateFile(job: string, state: string, file: string): ProblemError {
  return new ProblemError({
    ...{ status: 404, code: "unknownFile" },
    what: `state ${state} of job ${job} has no file ${file}`,
    why: "the checkpoint has no file of that name",
    remedy: `\`stint checkpoint fetch ${job} ${state}\` downloads the files that it has`,
    facts: { job, file },
  });
}

function reasonOf({ id, state, startedAtMs, retired }: FileOwner) {
  const removedAtMs = retired?.clearedAtMs ?? retired?.purgedAtMs;
  if (removedAtMs !== undefined || state === "CLEARED" || state === "PURGED") {
    const since = removedAtMs === undefined ? "" : ` at ${utcText(removedAtMs)}`;
    return {
      why: `its files were removed${since}; the job is ${state}`,
      remedy: `they cannot be restored; \`stint events ${id}\` shows who removed them`,
    };
  }
  if (startedAtMs !== null) {
    return {
      why: "the job's directory has no file of that name",
      remedy: `\`stint output ${id}\` downloads all files that it has`,
    };
  }
  if (state === "ABORTED" || state === "CANCELLED") {
    return {
      why: `the job is ${state} and never started`,
      remedy: `\`stint why ${id}\` shows the reason`,
    };
  }
  return {
    why: `the job has not started yet; it is ${state}`,
    remedy: `\`stint why ${id}\` shows what it waits for; \`stint logs ${id} -f\` follows its output`,
  };
}
