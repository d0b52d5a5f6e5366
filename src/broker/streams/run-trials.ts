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
  refusalText,
  type StreamFigures,
  type StreamPoolSpec,
  type StreamProcsClass,
  type StreamRecord,
  type TrialRates,
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
  const trial = { kind: "recordTrial", job: record.job, className } as const;
  const failed = async (problem: string): Promise<void> => {
    await round.ask({ ...trial, measured: null, problem });
  };
  if (one === undefined) return failed("the site no longer has this class");
  const id = trialJobId(record.job, className);
  const job = await site.find(id);
  if (job === undefined) {
    const problem = await submitTrial(site, record, { one, id });
    return problem === undefined ? undefined : failed(problem);
  }
  if (isFinal(job.state)) {
    const report = await readReport(pool, record.job);
    const measured = measuredOn(className, report);
    if (measured === null) return failed(whyUnmeasured(job, className, report));
    await round.ask({ ...trial, measured });
    return;
  }
  const isLate = job.startedAtMs === null && round.nowMs() - job.submittedAtMs > MOST_WAIT_MS;
  if (isLate) await cancelTrial(round, record);
}

/** Rates in the report of a trial on a class; null where there are none. */
function measuredOn(className: string, report: StreamFigures | undefined): TrialRates | null {
  const { bytesPerSec, bytesPerCpuSec } = report?.trial ?? {};
  if (report?.trial?.className !== className || bytesPerSec === undefined) return null;
  return { bytesPerSec, ...(bytesPerCpuSec === undefined ? {} : { bytesPerCpuSec }) };
}

/** Reason for which a trial has ended without a rate. */
function whyUnmeasured(job: JobRecord, className: string, report: StreamFigures | undefined): string {
  if (job.startedAtMs === null) return "its job has not started";
  const isOurs = report?.trial?.className === className;
  return (isOurs ? report.failure : undefined) ?? "its job ended before a block was processed";
}

/** Cancels the job of a stream's trial, where one runs. */
export async function cancelTrial(round: Round, { job: stream, trials = [] }: StreamRecord): Promise<void> {
  const [className] = trials;
  if (className === undefined) return;
  const id = trialJobId(stream, className);
  const job = round.projection.jobs.get(id);
  if (job !== undefined && !isFinal(job.state)) await round.ask({ kind: "cancel", job: id, by: job.owner });
}

/** Submits the job of a trial. @returns why the job is refused, if it is */
async function submitTrial(
  { round, name: site, pool, program, sandboxes }: TrialSite,
  { job, stream }: StreamRecord,
  { one, id }: { readonly one: StreamProcsClass; readonly id: string },
): Promise<string | undefined> {
  const main = round.projection.jobs.get(job);
  if (main === undefined) return undefined;
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
  const answer = await round.ask({ kind: "submit", job: id, owner, consumer, description, ...inputs });
  if (answer.ok) return undefined;
  const { what, why } = refusalText(answer.refusal);
  return `${what}: ${why}`;
}
