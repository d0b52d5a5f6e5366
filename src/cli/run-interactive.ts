/** Submits a job with a terminal, waits until it runs, attaches to it: `stint run -i` and `stint attach`. */
import { randomUUID } from "node:crypto";
import type { JobView, StintClient } from "../api/client/index.ts";
import { isFinal } from "../model/index.ts";
import { type RunRequest, runExit, tellWaiting } from "./run-job.ts";
import type { Terminal } from "./terminal.ts";
import { attachTo, type SessionWorld } from "./terminal-session.ts";

/** Size of a terminal that does not know its own. */
const USUAL_SIZE = { rows: 24, columns: 80 };

/** Submits the job and attaches to it. @returns the exit code of `stint run` */
export async function runInteractive(
  { submission, ...whose }: RunRequest,
  client: StintClient,
  terminal: Terminal,
): Promise<number> {
  const keyboard = await terminal.keyboard();
  const { rows, columns } = keyboard.size() ?? USUAL_SIZE;
  const { TERM = "dumb" } = terminal.environment;
  const environment = { TERM, LINES: `${rows}`, COLUMNS: `${columns}`, ...submission.environment };
  const asked = { ...submission, interactive: true, environment };
  const [id] = await client.submit([asked], { ...whose, idempotencyKey: randomUUID() });
  const leaving = new AbortController();
  const handBack = terminal.onEndRequest(() => {
    terminal.writeError(`stint: cancelling job ${id}\n`);
    void client.act(id, "cancel").catch(() => {});
  });
  try {
    return await sessionAt({ client, terminal, id, keyboard, takes: true, leaving });
  } catch (error) {
    terminal.writeError(`stint: for job ${id} see stint status ${id}\n`);
    throw error;
  } finally {
    handBack();
  }
}

/** Waits until the job runs, and attaches. @returns the exit code: the job's own, or 0 where the user left */
export async function sessionAt(world: SessionWorld): Promise<number> {
  const { client, terminal, id, leaving } = world;
  const job = await untilBegun(world);
  if (job === undefined) return left(world);
  const end = await attachTo(world);
  if (end === "left") return left(world);
  const exit = runExit(isFinal(job.state) ? job : await client.watch(id, () => {}, leaving.signal));
  terminal.writeError(exit.text);
  return exit.code;
}

/** The job as it runs, or is over; undefined where the user leaves before. */
async function untilBegun({ client, id, terminal, leaving }: SessionWorld): Promise<JobView | undefined> {
  const begun = new AbortController();
  const waiting = tellWaiting(id, (line) => terminal.writeError(line));
  let seen: JobView | undefined;
  const changed = (job: JobView): void => {
    waiting.changed(job);
    seen = job;
    if (job.state === "RUNNING" || job.state === "SUSPENDED" || isFinal(job.state)) begun.abort();
  };
  try {
    return await client.watch(id, changed, AbortSignal.any([begun.signal, leaving.signal]));
  } catch (error) {
    if (begun.signal.aborted) return seen;
    if (leaving.signal.aborted) return undefined;
    throw error;
  } finally {
    waiting.end();
  }
}

function left({ terminal, id }: SessionWorld): number {
  terminal.writeError(`\nstint: left job ${id}, which goes on; stint attach ${id} comes back to it\n`);
  return 0;
}
