/** Files of ended jobs at sites: counted at the end of a job, removed on request (rule EN-102). */
import { accepted, refused } from "../base/index.ts";
import { type Answer, longestWindowMs, type PolicyVersion } from "../engine/index.ts";
import { attemptToken, hasCheckpoints, isFinal, type JobRecord, type StoredFiles } from "../model/index.ts";
import { type Clock, filesOf, type Logbook, type Round } from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import { type Reminder, settleEach } from "./settle-each.ts";
import type { Sites } from "./sites.ts";

/** Dependencies on the broker. */
export interface KeptFilesWorld {
  readonly round: Round;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** Counts what attempts have left, one after the other; a site that does not answer is asked again later. */
export function createFileCounter({ round, sites, clock, warn }: KeptFilesWorld): Reminder {
  const { uncounted, files } = round.projection.files;
  return settleEach({
    ...{ clock, warn, due: () => uncounted },
    failed: (id) => `files of ${id}: not counted yet`,
    settle: async (id) => {
      const site = files.get(id)?.site ?? "";
      const at = sites.get(site);
      if (at === undefined) throw new Error(`${site} is not open`);
      const bytes = await at.files.sizeOfFiles(id);
      await round.ask({ kind: "countFiles", files: id, bytes });
    },
  });
}

/** Removes what a job that is over has left at its site. */
export async function clearFiles(
  { round, sites }: Pick<KeptFilesWorld, "round" | "sites">,
  job: JobRecord,
  by: string,
): Promise<Answer> {
  const { id, state, site: name, attempt } = job;
  if (!isFinal(state)) return refused({ kind: "jobNotOver", job: id, state });
  const site = sites.get(name ?? "");
  if (name === null || attempt === 0 || site === undefined) return accepted([]);
  for (let tried = 1; tried <= attempt; tried++) {
    const token = attemptToken(id, tried);
    const at = round.projection.files.files.get(token)?.site;
    const isHere = tried === attempt || at === name;
    // Each attempt of a job that saves states has some, wherever nothing is counted, too.
    if (!isHere && at === undefined && hasCheckpoints(job.description)) await site.files.purge(token);
    if (!isHere) continue;
    await site.files.purge(token);
    await round.ask({ kind: "clearFiles", files: token, site: name, by });
  }
  return accepted([]);
}

/** Files at sites now, or within the longest window of these policies. */
export async function storedFiles(
  logbook: Logbook,
  versions: readonly PolicyVersion[],
  nowMs: number,
): Promise<readonly StoredFiles[]> {
  const kept = await allRows(logbook, "files", {
    orderBy: "changedAtMs",
    where: { state: { oneOf: ["live", "over", "kept"] } },
  });
  const atLeast = nowMs - longestWindowMs(versions);
  const gone = await allRows(logbook, "files", {
    orderBy: "changedAtMs",
    where: { state: { is: "cleared" }, changedAtMs: { atLeast } },
  });
  return [...kept, ...gone].map(filesOf);
}
