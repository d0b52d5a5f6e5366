/**
 * Waits until all that was accepted is over, and reads the broker's books then.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JobView, StintClient } from "../src/api/client/index.ts";
import { Fault } from "../src/base/index.ts";
import type { BookedJob } from "./compare-books.ts";

/** So long nothing may happen before it is given up. */
const STANDSTILL_MS = 120_000;
const LOOK_EVERY_MS = 500;
const FINAL: readonly unknown[] = ["DONE", "ABORTED", "CANCELLED"];

/** The accepted jobs, their ids by number, and those that something was done to. */
export interface Accepted {
  readonly ids: ReadonlyMap<number, string>;
  readonly harmed: ReadonlySet<string>;
}

/** The books when all is over, or as they are when nothing has come to its end for a long time. */
export async function settledBooks(
  client: StintClient,
  { ids, harmed }: Accepted,
): Promise<readonly BookedJob[]> {
  const books = new Map<number, BookedJob>();
  const open = new Map(ids);
  let changedMs = performance.now();
  while (open.size > 0 && performance.now() - changedMs < STANDSTILL_MS) {
    for (const [number, id] of open) {
      const job = await look(client, id);
      books.set(number, { number, id, ...bookOf(job), mayFail: harmed.has(id) });
      if (job !== undefined && !FINAL.includes(job.state)) continue;
      open.delete(number);
      changedMs = performance.now();
    }
    if (open.size > 0) await delay(LOOK_EVERY_MS);
  }
  return [...books.values()];
}

/** Undefined of a job that the broker says it does not have; whatever else it says is thrown. */
async function look(client: StintClient, id: string): Promise<JobView | undefined> {
  try {
    return await client.job(id);
  } catch (error) {
    if (error instanceof Fault && error.kind === "notFound") return undefined;
    throw error;
  }
}

function bookOf(job: JobView | undefined): Pick<BookedJob, "state" | "result" | "timesMs"> {
  const times = [job?.submittedAt, job?.startedAt, job?.endedAt];
  const timesMs = times.flatMap((at) => (typeof at === "string" ? [Date.parse(at)] : []));
  return { state: job?.state ?? null, result: job?.result ?? null, timesMs };
}
