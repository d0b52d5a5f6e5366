/**
 * Follows one job from its submission to its end, for `stint run` (rules CL-7, CL-8).
 *
 * Three things go on at once: the job is watched, its two streams are copied, and requests to end are
 * listened for. Whatever ends first, nothing is left open.
 */
import { randomUUID } from "node:crypto";
import type { JobSubmission, JobView, StintClient } from "../api/client/index.ts";
import type { Fault } from "../base/index.ts";
import { asFault, faultText } from "./report-fault.ts";
import { runExit } from "./run-exit.ts";
import { tellWaiting } from "./run-waiting.ts";
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
