/**
 * Runs the trials of streams that are admitted: one after the other, each a job of its own in the queue of
 * its class, on the stream's own data and directory. What a trial processes is not processed again.
 *
 * The id of a trial's job follows from its stream and its class, so that a broker that was killed finds it.
 */
import { createHash } from "node:crypto";
import {
  isFinal,
  JOB_DEFAULTS,
  type JobDescription,
  type JobRecord,
  type StreamPoolSpec,
  type StreamProcsClass,
  type StreamRecord,
} from "../../model/index.ts";
import type { Round } from "../../runtime/index.ts";
import { STREAM_RULES } from "../../stream/index.ts";
import type { Sandboxes } from "../sandbox.ts";
import { readReport, trialOrderFile, writeTrialOrder } from "./stream-files.ts";

/** Time for which a trial may wait in the queue of its class. */
const MOST_WAIT_MS = 120_000;
/** Time limit of a trial's job, as a multiple of the length of the trial. */
const LIMIT_TIMES = 12;

/** A site whose streams are tried. */
export interface TrialSite {
  readonly round: Round;
  readonly name: string;
  readonly pool: StreamPoolSpec;
  /** Command that starts Stint on the broker's machine. */
  readonly program: readonly string[];
  /** Looks up a job, including one that has ended. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly sandboxes: Pick<Sandboxes, "keep" | "filesOf">;
}

/** Id of the job of a trial, in the alphabet of all job ids. */
function trialJobId(stream: string, className: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify(["stint trial", stream, className]))
    .digest();
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(digest.subarray(0, 12), (byte) => alphabet[byte & 31]).join("");
}

/** Starts the next trial of an admitted stream, or records the rates of a trial that has ended. */
export async function runTrial(site: TrialSite, record: StreamRecord): Promise<void> {
  const { round, pool } = site;
  const [className] = record.trials ?? [];
  const one = pool.classes?.find(({ name }) => name === className);
  if (className === undefined) return;
  const over = async (isMeasured: boolean): Promise<void> => {
    const figures = isMeasured ? (await readReport(pool, record.job))?.trial : undefined;
    const { bytesPerSec, bytesPerCpuSec } = figures ?? {};
    const isOurs = figures?.className === className && bytesPerSec !== undefined;
    const more = bytesPerCpuSec === undefined ? {} : { bytesPerCpuSec };
    const measured = isOurs ? { bytesPerSec, ...more } : null;
    await round.ask({ kind: "recordTrial", job: record.job, className, measured });
  };
  // The classes of the site have changed since the stream was admitted.
  if (one === undefined) return over(false);
  const id = trialJobId(record.job, className);
  const job = await site.find(id);
  if (job === undefined) {
    if (!(await submitTrial(site, record, { one, id }))) return over(true);
    return;
  }
  if (isFinal(job.state)) return over(true);
  const isLate = job.startedAtMs === null && round.nowMs() - job.submittedAtMs > MOST_WAIT_MS;
  if (isLate) await cancelTrial(round, record);
}

/** Cancels the job of a stream's trial, where one runs. */
export async function cancelTrial(round: Round, { job: stream, trials = [] }: StreamRecord): Promise<void> {
  const [className] = trials;
  if (className === undefined) return;
  const id = trialJobId(stream, className);
  const job = round.projection.jobs.get(id);
  if (job !== undefined && !isFinal(job.state)) await round.ask({ kind: "cancel", job: id, by: job.owner });
}

/** Submits the job of a trial. @returns false if the job is refused */
async function submitTrial(
  { round, name: site, pool, program, sandboxes }: TrialSite,
  { job, stream }: StreamRecord,
  { one, id }: { readonly one: StreamProcsClass; readonly id: string },
): Promise<boolean> {
  const main = round.projection.jobs.get(job);
  if (main === undefined) return true;
  const mostMs = stream.trialMs ?? STREAM_RULES.trial.mostMs;
  await writeTrialOrder(pool, job, { stream, one, mostMs });
  const [executable, ...words] = pool.program === undefined ? program : [pool.program];
  const inputSandbox = sandboxes
    .filesOf(job, main.description.inputSandbox)
    .map(({ name, source }) => `${source.slice(0, -name.length)}./${name}`);
  const inputBytes = await sandboxes.keep(id, inputSandbox, { ofJob: job });
  const description: JobDescription = {
    ...{ ...JOB_DEFAULTS, inputSandbox },
    name: `${stream.name}: trial on ${one.name}`,
    executable,
    arguments: [...words, "stream-wrapper", trialOrderFile(pool, job)],
    procs: 1,
    site,
    wallTimeMs: LIMIT_TIMES * mostMs + MOST_WAIT_MS,
    ...(one.queue === undefined ? {} : { preferredQueues: [one.queue] }),
  };
  const { owner, consumer } = main;
  const inputs = inputBytes === 0 ? {} : { inputBytes };
  return (await round.ask({ kind: "submit", job: id, owner, consumer, description, ...inputs })).ok;
}
