/**
 * Takes up again the jobs that a site has begun and the log does not know: the end of the log was lost.
 *
 * A site begins a token once, whoever asks. So such a job is submitted again under its id, as it was, and
 * what the site then says of its first attempt is recorded as of any other. When it really ran is not known
 * any more, nor what became of it before.
 */
import type { JobDescription } from "../model/index.ts";
import { type BrokerApi, descriptionOf, type JsonObject, type Logbook } from "../runtime/index.ts";
import { repeatEnd } from "../sites/managed/index.ts";
import { siteFilesIn, type UnknownAttempt, unknownAttempts } from "./site-files.ts";

/** What a site keeps of a job, whatever version of the broker handed it over. */
interface StoredJob {
  readonly owner: string;
  readonly consumer: string;
  readonly description: JsonObject;
}

/** A job as it was handed to the site. */
interface KeptJob {
  readonly owner: string;
  readonly consumer: string;
  readonly description: JobDescription;
}

/** An attempt of a job that the log does not know. */
export interface LeftAttempt extends UnknownAttempt {
  /** The job as it was, where it can be taken up again. */
  readonly was: KeptJob | undefined;
}

/** Finds them, before their site is opened; of those that can be taken up the ends are told once more. */
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

/** Submits them again, each to its site, and tells what became of each. */
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
