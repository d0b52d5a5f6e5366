/**
 * Follows one job from its submission to its end, for `stint run`. Three activities are concurrent: watching
 * the job, copying its two streams, and listening for signals. Whichever ends first, all are closed.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { JobSubmission, JobView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { JobState } from "../model/index.ts";
import { asFault, faultText, RUN_FAILED } from "./report-fault.ts";
import { noteTo } from "./submit-in-parts.ts";
import type { EndRequest, StreamName, Terminal } from "./terminal.ts";

/** Exit codes that shells show for a program ended by SIGINT or by a closed pipe. */
const LEFT = 130;
const READER_GONE = 141;

/** Command to run, and the consumer where it is not the caller's. */
export interface RunRequest {
  readonly submission: JobSubmission;
  readonly for?: string;
}

/** State of the run so far. */
interface Run {
  readonly client: StintClient;
  readonly terminal: Terminal;
  /** Aborts all activities. */
  readonly stop: AbortController;
  id: string | undefined;
  isCancelWanted: boolean;
  isReaderGone: boolean;
}

/**
 * Submits the job and follows it. @returns the exit code of `stint run`; rejects with a Fault where Stint
 * fails
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
  const noted = noteTo(terminal);
  const [id] = await client.submit([submission], { ...whose, idempotencyKey: randomUUID(), noted });
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

/**
 * Copies one of the job's streams to ours as it grows. @returns the reason where it could not be copied to
 * its end
 */
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

/** The first request cancels the job; a second one by Ctrl-C stops following it. */
function endRequested(run: Run, request: EndRequest): void {
  const { terminal, stop, id } = run;
  if (request === "readerGone") run.isReaderGone = true;
  else if (run.isCancelWanted) stop.abort();
  else terminal.writeError(`stint: cancelling${id === undefined ? "" : ` job ${id}`}; again to leave it\n`);
  if (run.isCancelWanted) return;
  run.isCancelWanted = true;
  if (id !== undefined) void cancel(run, id);
}

/** Cancels the job. That it has ended already is no fault: the watch reports how. */
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

/** Exit code and text for stderr; empty where the program has printed everything. */
export interface RunExit {
  readonly code: number;
  readonly text: string;
}

/** Exit of a job that has ended. */
export function runExit(job: JobView): RunExit {
  const { id, state, endState = state, exitCode, signal } = job;
  if (endState !== "DONE") return { code: RUN_FAILED, text: faultText(notRun(job)) };
  if (job.result === "imitated") return { code: RUN_FAILED, text: faultText(imitated(job)) };
  if (job.timeLimit) {
    const text = `stint: job ${id} was ended by its time limit; -t asks for more\n`;
    return { code: SIGNAL_BASE + constants.signals.SIGTERM, text };
  }
  if (exitCode !== null) return { code: exitCode, text: "" };
  const number = numberOf(signal);
  const text = `stint: job ${id} was ended by ${signal ?? "a signal that is not known"}\n`;
  return { code: number === undefined ? RUN_FAILED : SIGNAL_BASE + number, text };
}

/** Number of a signal: of `SIGTERM`, and of `SIG34` for real-time signals. */
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
    why: `${site ?? "its site"} simulates jobs: they take time, but run no program`,
    remedy: "to run it, name no site, or one that runs programs",
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
      why: reason ?? "a user cancelled it",
      // There is a reason only where its reservation ended with it.
      remedy: reason === null ? howFar : more,
    });
  }
  return new Fault({
    kind: "failed",
    code: "jobAborted",
    what: `job ${id} could not be run`,
    why: reason ?? "no reason is known",
    remedy: `correct that and run it again; stint status ${id} shows more`,
  });
}

/** Wait of a job after which the wait is reported. */
const QUIET_MS = 2000;

/** Reports the progress of one job, from its submission on. */
export interface WaitingTold {
  readonly changed: (job: JobView) => void;
  readonly end: () => void;
}

/** Tells that the job waits, is held or suspended, and that it runs after all. */
export function tellWaiting(id: string, tell: (line: string) => void): WaitingTold {
  let state: JobState = "WAITING";
  let isTold = false;
  const say = (words: string): void => {
    isTold = true;
    tell(`stint: job ${id} ${words}\n`);
  };
  const timer = setTimeout(() => {
    if (state !== "WAITING" && state !== "SCHEDULED") return;
    say(`waits; stint why ${id} explains`);
  }, QUIET_MS);
  return {
    changed: (job) => {
      if (job.state === state) return;
      state = job.state;
      if (state === "HELD") say(`is held; stint release ${id} lets it start`);
      if (state === "SUSPENDED") say(`is suspended; stint resume ${id} resumes it`);
      if (state === "RUNNING" && isTold) say(`runs at ${job.site}`);
    },
    end: () => clearTimeout(timer),
  };
}
