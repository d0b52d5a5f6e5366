/**
 * Past jobs of all users from the accounting, newest first and bounded.
 *
 * sacct returns all rows of a window or none, and a busy site has some hundred thousand a week. So the last
 * day is read first; its number of rows decides how far back the next window goes.
 */
import { setImmediate } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { pastJobsCommand, pastJobsOf, readPastRuns, type SacctRun } from "../../formats/slurm/index.ts";
import type { ClusterPastJob } from "../../model/index.ts";
import type { Ask } from "./ask.ts";

const DAY_MS = 86_400_000;
/** Bounds of the readings. */
export interface PastBounds {
  /** Wanted number of rows in one answer. */
  readonly rowsAQuestion: number;
  /** Number of rows after which reading stops; the oldest are left out. */
  readonly mostRows: number;
}

/** Some 10 MB of text per answer; as many rows as predictions can use. */
const BOUNDS: PastBounds = { rowsAQuestion: 50_000, mostRows: 100_000 };
const ROWS_AT_ONCE = 200;

/**
 * Reads jobs that existed since an instant.
 *
 * @returns in order of `eligibleAtMs`; empty if the cluster has no accounting
 *
 * @throws Fault if the accounting cannot be read
 */
export async function pastJobs(
  ask: Ask,
  sinceMs: number,
  nowMs: number,
  { rowsAQuestion, mostRows }: PastBounds = BOUNDS,
): Promise<readonly ClusterPastJob[]> {
  let runs: readonly SacctRun[] = [];
  const wholeMs = Math.max(0, nowMs - sinceMs);
  let untilAgoMs = 0;
  let windowMs = DAY_MS;
  while (untilAgoMs < wholeMs && runs.length < mostRows) {
    const fromAgoMs = Math.min(wholeMs, untilAgoMs + windowMs);
    const found = await ask("history", pastJobsCommand({ fromAgoMs, untilAgoMs })).catch(noneWhereOff);
    if (found === null) return [];
    const older = await readInPieces(found);
    runs = [...older, ...runs];
    const rowsADay = Math.max(1, (older.length * DAY_MS) / (fromAgoMs - untilAgoMs));
    windowMs = Math.max(DAY_MS / 24, Math.floor((rowsAQuestion * DAY_MS) / rowsADay));
    untilAgoMs = fromAgoMs;
  }
  return pastJobsOf(runs, nowMs - untilAgoMs);
}

/** Parses in slices (up to 75 µs a row), between which other work runs. */
async function readInPieces(text: string): Promise<readonly SacctRun[]> {
  const [head = "", ...lines] = text.split("\n");
  const runs: SacctRun[] = [];
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    runs.push(...readPastRuns([head, ...lines.slice(at, at + ROWS_AT_ONCE)]));
    await setImmediate();
  }
  return runs;
}

/** True if the error says that the cluster has no accounting. */
export function isWithoutAccounting(error: unknown): boolean {
  return error instanceof Fault && /accounting storage is disabled/i.test(error.why);
}

/** Null for a cluster without accounting; other errors are thrown. */
function noneWhereOff(error: unknown): null {
  if (isWithoutAccounting(error)) return null;
  throw error;
}
