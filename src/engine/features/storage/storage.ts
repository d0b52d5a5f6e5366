/** Files of jobs at sites, and transfers over links. */
import { accepted } from "../../../base/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import {
  applyFiles,
  changedAtMs,
  filesGone,
  noteFilesOf,
  rememberFiles,
  type WithFiles,
} from "../../state/files-book.ts";
import { filesWakeAtMs, fullStores } from "./store-limits.ts";

export const storage = {
  name: "storage",
  answers: {
    countFiles,
    clearFiles,
    // It changes nothing: it is recorded for verification from the log.
    noteTransfers: ({ sites }, { site, fromMs, toMs, passed }, nowMs) => {
      if (!sites.has(site) || fromMs >= toMs) return accepted([]);
      return accepted([{ kind: "transfersMeasured", site, fromMs, toMs, passed, atMs: nowMs }]);
    },
  },
  applies: {
    filesCounted: applyFiles,
    filesCleared: (projection, event) => applyFiles(projection, { ...event, bytes: null }),
    transfersMeasured: () => [],
  },
  after: (projection, event, jobs) => {
    const gone = event.kind === "siteRemoved" ? filesGone(projection, event.site, event.atMs) : [];
    return [...gone, ...noteFilesOf(projection, jobs, event.atMs)];
  },
  wakeAtMs: filesWakeAtMs,
  explain: {
    keepsFrom: (projection, job, sites, nowMs) => {
      const limits = fullStores(projection, job, sites, nowMs);
      if (limits.length === 0) return [];
      const cause = { kind: "storeFull", limits } as const;
      return [{ sites: limits.map(({ site }) => site), cause, by: "use" }];
    },
  },
  views: [
    { name: "files", columns: { site: "text", consumer: "text", state: "text", changedAtMs: "integer" } },
  ],
  rows: {
    files: ({ record }) => {
      const { id: key, site, consumer, state } = record;
      return {
        view: "files",
        key,
        record,
        columns: { site, consumer, state, changedAtMs: changedAtMs(record) },
      };
    },
  },
  restore: (projection, { files }) => rememberFiles(projection, files),
} as const satisfies Feature;

/** Files are counted once, after the end of their attempt (rule EN-102). */
function countFiles(
  { files: { files } }: WithFiles,
  { files: id, bytes }: CommandOf<"countFiles">,
  nowMs: number,
): Answer {
  const known = files.get(id);
  if (known?.state !== "over") return accepted([]);
  return accepted([{ kind: "filesCounted", files: id, site: known.site, bytes, atMs: nowMs }]);
}

/** Removes a job's files, also where none were counted. */
function clearFiles(
  { files: { files } }: WithFiles,
  { files: id, site, by }: CommandOf<"clearFiles">,
  nowMs: number,
): Answer {
  const known = files.get(id);
  if (known?.state === "cleared" || known?.state === "live") return accepted([]);
  return accepted([{ kind: "filesCleared", files: id, site, by, atMs: nowMs }]);
}
