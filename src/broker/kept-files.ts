/** Files of ended jobs at sites: counted at the end of a job, removed on request (rule EN-102). */
import { accepted, refused } from "../base/index.ts";
import { type Answer, longestWindowMs, type PolicyVersion } from "../engine/index.ts";
import { attemptToken, hasCheckpoints, isFinal, type JobRecord, type StoredFiles } from "../model/index.ts";
import { type Clock, filesOf, type Logbook, type Round } from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import { messageOf } from "./job-order.ts";
import type { Sites } from "./sites.ts";

/** Delay before a failed count is repeated. */
const TRY_AGAIN_MS = 30_000;

/** Files are counted at so many attempts at once. */
const AT_ONCE = 4;

/** Dependencies on the broker. */
export interface KeptFilesWorld {
  readonly round: Round;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** Counts what was left. */
export interface FileCounter {
  /** Something may be over: it is looked soon. */
  look(): void;
  stop(): void;
}

/** Counts one attempt after the other, a few at once; a site that does not answer is asked again later. */
export function createFileCounter({ round, sites, clock, warn }: KeptFilesWorld): FileCounter {
  const { uncounted, files } = round.projection.files;
  const under = new Set<string>();
  let cancelAlarm: (() => void) | undefined;
  let hasStopped = false;
  async function count(id: string): Promise<void> {
    const site = files.get(id)?.site ?? "";
    const at = sites.get(site);
    if (at === undefined) throw new Error(`${site} is not open`);
    const bytes = await at.files.sizeOfFiles(id);
    await round.ask({ kind: "countFiles", files: id, bytes });
  }
  function later(): void {
    if (hasStopped) return;
    cancelAlarm?.();
    cancelAlarm = clock.wakeAt(clock.nowMs() + TRY_AGAIN_MS, look);
  }
  function begin(id: string): void {
    under.add(id);
    void count(id).then(
      () => {
        under.delete(id);
        look();
      },
      (error: unknown) => {
        under.delete(id);
        if (hasStopped) return;
        warn(`files of ${id}: not counted yet: ${messageOf(error)}`);
        later();
      },
    );
  }
  function look(): void {
    for (const id of uncounted) {
      if (hasStopped || under.size >= AT_ONCE) return;
      if (!under.has(id)) begin(id);
    }
  }
  return {
    look,
    stop() {
      hasStopped = true;
      cancelAlarm?.();
    },
  };
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
