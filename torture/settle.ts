/** Waits until all accepted jobs are over, and reads the broker's records. */
import { setTimeout as delay } from "node:timers/promises";
import type { JobView, StintClient } from "../src/api/client/index.ts";
import { Fault } from "../src/base/index.ts";
import type { AcceptedJob } from "./batches.ts";
import type { BookedJob } from "./compare-books.ts";

/** Time without progress, in ms, after which waiting ends. */
const STANDSTILL_MS = 120_000;
const LOOK_EVERY_MS = 500;
const FINAL: readonly unknown[] = ["DONE", "ABORTED", "CANCELLED"];

/** Accepted jobs by number, and the ids of those that a fault affected. */
export interface Accepted {
  readonly accepted: ReadonlyMap<number, AcceptedJob>;
  readonly harmed: ReadonlySet<string>;
}

/** Records when all is over, or as they are after a long time without progress. */
export async function settledBooks(
  client: StintClient,
  { accepted, harmed }: Accepted,
): Promise<readonly BookedJob[]> {
  const books = new Map<number, BookedJob>();
  const open = new Map(accepted);
  let changedMs = performance.now();
  while (open.size > 0 && performance.now() - changedMs < STANDSTILL_MS) {
    for (const [number, { id, after, dag }] of open) {
      const job = await look(client, id);
      const node = job === undefined && dag !== undefined ? await nodeState(client, dag, id) : undefined;
      // A node that never runs has no job, and must not have written anything.
      if (node === "WAITING") continue;
      if (node !== "FUTILE" && node !== "CANCELLED") {
        books.set(number, { number, id, ...bookOf(job), mayFail: harmed.has(id), after });
      }
      if (job !== undefined && !FINAL.includes(job.state)) continue;
      open.delete(number);
      changedMs = performance.now();
    }
    if (open.size > 0) await delay(LOOK_EVERY_MS);
  }
  return [...books.values()];
}

/** State of a node without a job; undefined if the broker does not have the DAG. */
async function nodeState(client: StintClient, id: string, job: string): Promise<string | undefined> {
  try {
    const { nodes } = await client.dag(id);
    return nodes[Number(job.slice(id.length + 1))]?.state;
  } catch (error) {
    if (error instanceof Fault && error.kind === "notFound") return undefined;
    throw error;
  }
}

/** A job; undefined if the broker does not have it. Other errors are thrown. */
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
