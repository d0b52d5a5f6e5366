/**
 * How many ends the log of a broker that does not run has of each job.
 */
import { join } from "node:path";
import { VIEWS } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";

/** By job; what has no end is not in it. */
export async function endsIn(stateDirectory: string): Promise<ReadonlyMap<string, number>> {
  const logbook = await openSqliteLogbook({ directory: join(stateDirectory, "log"), views: VIEWS });
  const ends = new Map<string, number>();
  for await (const { kind, body } of logbook.events(1)) {
    const isEnd = kind === "jobCancelled" || kind === "attemptEnded";
    if (isEnd && typeof body.job === "string") ends.set(body.job, (ends.get(body.job) ?? 0) + 1);
  }
  await logbook.close();
  return ends;
}
