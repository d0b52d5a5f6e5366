/** Submitted descriptions, completed with their defaults. */
import { basename } from "node:path";
import type { JobSubmission } from "../contract/index.ts";
import { readTicket } from "../formats/ticket/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import type { ProblemPlace } from "./problem.ts";

/** Description with its defaults, in the engine's units. */
export function completeDescription(submission: JobSubmission): JobDescription {
  const { wallTimeSec, ...same } = submission;
  const limit = wallTimeSec === undefined ? {} : { wallTimeMs: wholeMs(wallTimeSec) };
  return { ...JOB_DEFAULTS, ...ticketSite(submission), ...same, ...limit };
}

/** A length at the border in whole milliseconds, as the engine counts. */
export function wholeMs(lengthSec: number): number {
  return Math.round(lengthSec * 1000);
}

/** Site of a ticket; an unreadable ticket is refused by the broker. */
function ticketSite({ ticket }: JobSubmission): Pick<JobSubmission, "site"> {
  const read = ticket === undefined ? undefined : readTicket(ticket);
  return read?.ok === true ? { site: read.value.ticket.site } : {};
}

/**
 * Files of the input sandbox with the same name in the job's directory; at most one place per description.
 */
export function doubledInputs(submissions: readonly JobSubmission[], isBulk: boolean): ProblemPlace[] {
  return submissions.flatMap((submission, index) => {
    const names = (submission.inputSandbox ?? []).map((path) => basename(path));
    const seen = new Set<string>();
    const at = names.findIndex((name) => seen.size === seen.add(name).size);
    if (at === -1) return [];
    const pointer = `${isBulk ? `/${index}` : ""}/inputSandbox/${at}`;
    return { pointer, detail: `a second file called ${names[at]} would stand in the job's directory` };
  });
}
