/**
 * Submits any number of jobs: in parts that fit into a request, each with an idempotency key that follows
 * from one key. The same jobs under the same key are submitted once, however often it is tried.
 */
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { counted } from "../base/index.ts";
import { asFault } from "./report-fault.ts";
import type { Terminal } from "./terminal.ts";

/** Most jobs of a request, and most bytes of its descriptions: the API takes 10 MiB. */
const MOST_JOBS = 1000;
const MOST_BYTES = 8 * 1024 * 1024;

/** Submission of one command. */
export interface PartedSubmission {
  readonly jobs: readonly JobSubmission[];
  /** Consumer of the jobs; the caller's own where absent. */
  readonly for?: string;
  readonly key: string;
  /** Called with the ids of each part once it is submitted. */
  readonly submitted: (ids: readonly string[]) => void;
}

/** @throws Fault of the first part that was not submitted, after it was told how to go on */
export async function submitInParts(
  client: Pick<StintClient, "submit">,
  { jobs, for: whose, key, submitted }: PartedSubmission,
  terminal: Pick<Terminal, "showsProgress" | "writeError">,
): Promise<void> {
  const parts = partsOf(jobs);
  const showsProgress = terminal.showsProgress && parts.length > 1;
  let done = 0;
  const noted = noteTo(terminal);
  for (const [at, part] of parts.entries()) {
    const idempotencyKey = at === 0 ? key : `${key}/${at + 1}`;
    const consumer = whose === undefined ? {} : { for: whose };
    try {
      submitted(await client.submit(part, { ...consumer, idempotencyKey, noted }));
    } catch (error) {
      if (showsProgress && done > 0) terminal.writeError("\n");
      const fault = asFault(error);
      // By its name, since its class would load the client at the start of every command.
      const isInDoubt = fault.name === "LostConnection";
      if (done > 0 || isInDoubt) terminal.writeError(onwards({ isInDoubt, done, jobs, key }));
      throw error;
    }
    done += part.length;
    if (showsProgress) terminal.writeError(`\rstint: ${done} of ${counted(jobs.length, "job")} submitted`);
  }
  if (showsProgress) terminal.writeError("\n");
}

/** Writes each note on a submission once, as a line of stderr. */
export function noteTo(terminal: Pick<Terminal, "writeError">): (note: string) => void {
  const written = new Set<string>();
  return (note) => {
    if (!written.has(note)) terminal.writeError(`stint: ${note}\n`);
    written.add(note);
  };
}

/** Parts that follow from the jobs before them alone, so that jobs added at the end change no full part. */
export function partsOf(
  jobs: readonly JobSubmission[],
  { mostJobs = MOST_JOBS, mostBytes = MOST_BYTES } = {},
): readonly (readonly JobSubmission[])[] {
  const parts: JobSubmission[][] = [];
  let bytes = 0;
  for (const job of jobs) {
    const size = Buffer.byteLength(JSON.stringify(job)) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length === mostJobs || bytes + size > mostBytes) {
      parts.push([job]);
      bytes = size;
    } else {
      last.push(job);
      bytes += size;
    }
  }
  return parts;
}

interface Standing {
  /** True where the request may have arrived: its connection broke. */
  readonly isInDoubt: boolean;
  readonly done: number;
  readonly jobs: readonly JobSubmission[];
  readonly key: string;
}

function onwards({ isInDoubt, done, jobs, key }: Standing): string {
  const sent = done === 0 ? "" : `${done} of ${counted(jobs.length, "job")} were submitted; `;
  const doubt = isInDoubt ? "it is not known whether more were: " : "";
  return `stint: ${sent}${doubt}the same command with --key ${key} submits each job once\n`;
}
