/**
 * Follows one job from its submission to its end, for `stint run` (rules CL-7, CL-8).
 *
 * Three things go on at once: the job is watched, its two streams are copied, and requests to end are
 * listened for. Whatever ends first, nothing is left open.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { JobSubmission, JobView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { JobState } from "../model/index.ts";
import { asFault, faultText, RUN_FAILED } from "./report-fault.ts";
import type { EndRequest, StreamName, Terminal } from "./terminal.ts";

/** What the shell shows for a program that SIGINT, or a closed pipe, ended. */
const LEFT = 130;
const READER_GONE = 141;

/** What is to run, and for whom where that is somebody else. */
export interface RunRequest {
  readonly submission: JobSubmission;
  readonly for?: string;
}

/** What is known of the run so far. */
interface Run {
  readonly client: StintClient;
  readonly terminal: Terminal;
  /** Aborts everything that is under way. */
  readonly stop: AbortController;
  id: string | undefined;
  isCancelWanted: boolean;
  isReaderGone: boolean;
}

/**
 * Submits the job and stays with it.
 *
 * @returns the exit code of `stint run`; rejects with a Fault where Stint fails
 */
export async function runJob(request: RunRequest, client: StintClient, terminal: Terminal): Promise<number> {
  const stop = new AbortController();
  const run: Run = { client, terminal, stop, id: undefined, isCancelWanted: false, isReaderGone: false };
  const handBack = terminal.onEndRequest((request) => endRequested(run, request));
  try {
    const followed = submitAndFollow(request, run);
    // After that was left, what it still rejects with concerns nobody.
    followed.catch(() => undefined);
    const job = await Promise.race([followed, aborted(stop.signal)]);
    if (job === undefined) return leave(run);
    if (run.isReaderGone) return READER_GONE;
    const exit = runExit(job);
    terminal.writeError(exit.text);
    return exit.code;
  } catch (error) {
    if (run.id !== undefined) {
      terminal.writeError(`stint: for job ${run.id} see stint status ${run.id}\n`);
    }
    throw error;
  } finally {
    handBack();
    stop.abort();
  }
}

async function submitAndFollow({ submission, ...whose }: RunRequest, run: Run): Promise<JobView> {
  const { client, terminal, stop } = run;
  const [id] = await client.submit([submission], { ...whose, idempotencyKey: randomUUID() });
  run.id = id;
  if (run.isCancelWanted) await cancel(run, id);
  const waiting = tellWaiting(id, (line) => terminal.writeError(line));
  const copies = [copied(run, id, "stdout"), copied(run, id, "stderr")];
  try {
    const job = await client.watch(id, waiting.changed, stop.signal);
    const faults = await Promise.all(copies);
    const fault = faults.find((one) => one !== undefined);
    // A job that never ran has no files, and that is no fault.
    if (fault !== undefined && job.state === "DONE" && !run.isReaderGone) throw fault;
    return job;
  } finally {
    waiting.end();
  }
}

/** Copies one of the job's streams to ours as it grows; resolves with why it could not to the end. */
async function copied(
  { client, terminal, stop }: Run,
  id: string,
  stream: StreamName,
): Promise<Fault | undefined> {
  try {
    for await (const bytes of client.readFile(id, stream, { follow: true, signal: stop.signal })) {
      await terminal.writeBytes(stream, bytes);
    }
    return undefined;
  } catch (error) {
    return asFault(error);
  }
}

/** The first request cancels the job; a second one of a person stops following it. */
function endRequested(run: Run, request: EndRequest): void {
  const { terminal, stop, id } = run;
  if (request === "readerGone") run.isReaderGone = true;
  else if (run.isCancelWanted) stop.abort();
  else terminal.writeError(`stint: cancelling${id === undefined ? "" : ` job ${id}`}; again to leave it\n`);
  if (run.isCancelWanted) return;
  run.isCancelWanted = true;
  if (id !== undefined) void cancel(run, id);
}

/** Asks for the end. That the job is over already is no fault: the watch tells how. */
async function cancel({ client, terminal }: Run, id: string): Promise<void> {
  try {
    await client.act(id, "cancel");
  } catch (error) {
    const fault = asFault(error);
    if (fault.kind !== "refused") terminal.writeError(faultText(fault));
  }
}

function leave({ id, terminal }: Run): number {
  const words =
    id === undefined
      ? "left; whether it was submitted is not known: stint list"
      : `left job ${id}, which may still run: stint status ${id}`;
  terminal.writeError(`stint: ${words}\n`);
  return LEFT;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

const SIGNAL_BASE = 128;

/** An exit code, and what goes to stderr; empty where the program has said all. */
interface RunExit {
  readonly code: number;
  readonly text: string;
}

/** The exit of a job that is over. */
function runExit(job: JobView): RunExit {
  const { id, state, exitCode, signal } = job;
  if (state !== "DONE") return { code: RUN_FAILED, text: faultText(notRun(job)) };
  if (job.result === "imitated") return { code: RUN_FAILED, text: faultText(imitated(job)) };
  if (job.timeLimit) {
    const text = `stint: job ${id} was ended at its time limit; -t asks for more\n`;
    return { code: SIGNAL_BASE + constants.signals.SIGTERM, text };
  }
  if (exitCode !== null) return { code: exitCode, text: "" };
  const number = numberOf(signal);
  const text = `stint: job ${id} was ended by ${signal ?? "a signal that is not known"}\n`;
  return { code: number === undefined ? RUN_FAILED : SIGNAL_BASE + number, text };
}

/** Of `SIGTERM`, and of `SIG34` as real-time signals are written. */
function numberOf(signal: string | null): number | undefined {
  if (signal === null) return undefined;
  const known: Readonly<Record<string, number | undefined>> = constants.signals;
  const written = /^SIG(\d{1,2})$/.exec(signal)?.[1];
  return written === undefined ? known[signal] : Number(written);
}

function imitated({ id, site }: JobView): Fault {
  return new Fault({
    kind: "failed",
    code: "jobImitated",
    what: `job ${id} was imitated: nothing ran`,
    why: `at ${site ?? "its site"} jobs only take time`,
    remedy: "to have it run, name no site, or one whose jobs are run",
  });
}

function notRun({ id, state, reason, reservation }: JobView): Fault {
  if (state === "CANCELLED") {
    const howFar = `stint status ${id} tells how far it was`;
    const more = `reserve for longer, or stint extend ${reservation} before it ends; ${howFar}`;
    return new Fault({
      kind: "failed",
      code: "jobCancelled",
      what: `job ${id} was cancelled`,
      why: reason ?? "somebody asked for it",
      // There is a reason only where its reservation ended with it.
      remedy: reason === null ? howFar : more,
    });
  }
  return new Fault({
    kind: "failed",
    code: "jobAborted",
    what: `job ${id} could not be run`,
    why: reason ?? "no reason is known",
    remedy: `mend that and run it again; stint status ${id} tells more`,
  });
}

/** How long a job may wait before that is told. */
const QUIET_MS = 2000;

/** Tells about one job, from its submission on. */
interface WaitingTold {
  readonly changed: (job: JobView) => void;
  readonly end: () => void;
}

/** Begins to tell. */
function tellWaiting(id: string, tell: (line: string) => void): WaitingTold {
  let state: JobState = "WAITING";
  let isTold = false;
  const say = (words: string): void => {
    isTold = true;
    tell(`stint: job ${id} ${words}\n`);
  };
  const timer = setTimeout(() => {
    if (state !== "WAITING" && state !== "SCHEDULED") return;
    say(`waits; stint why ${id} tells for what`);
  }, QUIET_MS);
  return {
    changed: (job) => {
      if (job.state === state) return;
      state = job.state;
      if (state === "HELD") say(`is held; stint release ${id} lets it start`);
      if (state === "SUSPENDED") say(`is suspended; stint resume ${id} lets it go on`);
      if (state === "RUNNING" && isTold) say(`runs at ${job.site}`);
    },
    end: () => clearTimeout(timer),
  };
}
