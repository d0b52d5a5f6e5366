/**
 * Recovers jobs that a site has begun and the log does not contain, because the end of the log was lost.
 *
 * A site begins a token once. So such a job is submitted again under its id, and the site's reports about
 * its first attempt are recorded as usual. Its earlier times and events are lost.
 */
import type { JobDescription } from "../model/index.ts";
import { type BrokerApi, descriptionOf, type JsonObject, type Logbook } from "../runtime/index.ts";
import { repeatEnd } from "../sites/managed/index.ts";
import { siteFilesIn, type UnknownAttempt, unknownAttempts } from "./site-files.ts";

/** A job as stored at a site, by any version of the broker. */
interface StoredJob {
  readonly owner: string;
  readonly consumer: string;
  readonly description: JsonObject;
}

/** A job as it was submitted to the site. */
interface KeptJob {
  readonly owner: string;
  readonly consumer: string;
  readonly description: JobDescription;
}

/** An attempt of a job that the log does not contain. */
export interface LeftAttempt extends UnknownAttempt {
  /** The job, if it can be recovered. */
  readonly was: KeptJob | undefined;
}

/**
 * Finds such attempts before their site is opened, and makes the site report the ends of recoverable ones
 * again.
 */
export async function findLeftAttempts(
  stateDirectory: string,
  logbook: Pick<Logbook, "record">,
): Promise<readonly LeftAttempt[]> {
  const knows = async (job: string) => (await logbook.record("jobs", job)) !== undefined;
  const unknown = await unknownAttempts(await siteFilesIn(stateDirectory), knows);
  const left = unknown.map((attempt): LeftAttempt => {
    const was = keptJob(attempt);
    const isOnly = unknown.filter(({ job }) => job === attempt.job).length === 1;
    const isFirst = isOnly && attempt.attempt === 1;
    return { ...attempt, was: isFirst && was?.description.virtual === undefined ? was : undefined };
  });
  for (const { folder, token, was } of left) if (was !== undefined) await repeatEnd(folder, token);
  return left;
}

/** Submits the jobs again, each to its site, and reports the results. */
export async function recoverJobs(
  brokerApi: Pick<BrokerApi, "ask">,
  attempts: readonly LeftAttempt[],
  tell: (line: string) => void,
): Promise<void> {
  for (const attempt of attempts) {
    const { token, site, directory } = attempt;
    const isTaken = await takenUp(brokerApi, attempt);
    const what = isTaken ? "it is taken up again" : `its files are in ${directory}`;
    tell(`stint: the log does not know job ${token}, which ${site} has begun: ${what}\n`);
  }
}

async function takenUp(brokerApi: Pick<BrokerApi, "ask">, { job, site, was }: LeftAttempt): Promise<boolean> {
  if (was === undefined) return false;
  const { owner, consumer } = was;
  // Its input is in its directory; what it was bound to may be lost as well.
  const { reservation: _, ticket: __, ...plain } = was.description;
  const description = { ...plain, site, inputSandbox: [] };
  return (await brokerApi.ask({ kind: "submit", job, description, consumer, owner })).ok;
}

function keptJob({ kept }: UnknownAttempt): KeptJob | undefined {
  if (kept === undefined) return undefined;
  const { owner, consumer, description }: Partial<StoredJob> = JSON.parse(JSON.stringify(kept));
  if (typeof owner !== "string" || typeof consumer !== "string" || description === undefined)
    return undefined;
  return { owner, consumer, description: descriptionOf(description) };
}
