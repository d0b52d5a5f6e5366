/**
 * Files of managed sites compared with the log: attempts with unreadable files, and jobs that the log does
 * not contain, because its end was lost or an older copy replaced it.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { indexesOf, memberId } from "../model/index.ts";
import type { JsonObject, Logbook } from "../runtime/index.ts";
import { type FoundAttempt, findAttempts } from "../sites/managed/index.ts";
import { thisMachine } from "./this-machine.ts";

/** Attempts in the folder of one site. */
export interface SiteFiles {
  readonly site: string;
  readonly folder: string;
  readonly attempts: readonly FoundAttempt[];
}

/** An attempt of a job that the log does not contain. */
export interface UnknownAttempt extends FoundAttempt {
  readonly site: string;
  readonly folder: string;
  readonly job: string;
  readonly attempt: number;
}

/** Managed sites of a state directory, in the log or not. */
export async function siteFilesIn(stateDirectory: string): Promise<readonly SiteFiles[]> {
  const others = await readdir(join(stateDirectory, "sites")).catch(() => []);
  const folders = [
    { site: thisMachine.name, folder: join(stateDirectory, "site") },
    ...others.sort().map((site) => ({ site, folder: join(stateDirectory, "sites", site) })),
  ];
  const found: SiteFiles[] = [];
  for (const { site, folder } of folders) {
    // A folder that cannot be read is told of when its site is opened.
    const attempts = await findAttempts(folder).catch(() => []);
    if (attempts.length > 0) found.push({ site, folder, attempts });
  }
  return found;
}

/** Attempts whose jobs the log does not contain. */
export async function unknownAttempts(
  sites: readonly SiteFiles[],
  knows: (job: string) => boolean | Promise<boolean>,
): Promise<readonly UnknownAttempt[]> {
  const unknown: UnknownAttempt[] = [];
  for (const { site, folder, attempts } of sites) {
    for (const found of attempts) {
      const [job, attempt] = found.token.split("/");
      if (!(await knows(job))) unknown.push({ ...found, site, folder, job, attempt: Number(attempt) });
    }
  }
  return unknown;
}

/** Jobs that a log has accepted, from its events alone: its views may be lost. */
export async function acceptedJobs(logbook: Pick<Logbook, "events">): Promise<ReadonlySet<string>> {
  const jobs = new Set<string>();
  for await (const { kind, body } of logbook.events(1)) {
    if (kind === "jobAccepted") jobs.add(String(body.job));
    if (kind !== "arrayAccepted") continue;
    const { array, description } = body as { readonly array: string; readonly description: JsonObject };
    for (const index of indexesOf(String(description.array))) jobs.add(memberId(array, index));
  }
  return jobs;
}
