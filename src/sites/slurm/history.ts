/**
 * What the accounting remembers of everybody's jobs, newest first and bounded.
 *
 * sacct gives all rows of a window or none, and a busy site has some hundred thousand a week. So the last
 * day is asked for first; how many rows that has says how far back the next question may go.
 */
import { setImmediate } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { pastJobsCommand, pastJobsOf, readPastRuns, type SacctRun } from "../../formats/slurm/index.ts";
import type { ClusterPastJob } from "../../model/index.ts";
import type { Ask } from "./ask.ts";

const DAY_MS = 86_400_000;
/** How much is asked for. */
export interface PastBounds {
  /** What one answer should have at most. */
  readonly rowsAQuestion: number;
  /** With these it is enough; the oldest are left out. */
  readonly mostRows: number;
}

/** An answer of some 10 MB of text; and what predictions can learn from. */
const BOUNDS: PastBounds = { rowsAQuestion: 50_000, mostRows: 100_000 };
const ROWS_AT_ONCE = 200;

/**
 * Asks for the jobs that were there since an instant.
 *
 * @returns in order of `eligibleAtMs`; nothing where the cluster keeps no accounting
 * @throws Fault where the accounting cannot be asked
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

/** Reading takes up to 75 µs a row, for which nobody else shall wait. */
async function readInPieces(text: string): Promise<readonly SacctRun[]> {
  const [head = "", ...lines] = text.split("\n");
  const runs: SacctRun[] = [];
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    runs.push(...readPastRuns([head, ...lines.slice(at, at + ROWS_AT_ONCE)]));
    await setImmediate();
  }
  return runs;
}

/** Whether what was thrown says that the cluster keeps no accounting. */
export function isWithoutAccounting(error: unknown): boolean {
  return error instanceof Fault && /accounting storage is disabled/i.test(error.why);
}

/** A cluster without accounting is no failure. */
function noneWhereOff(error: unknown): null {
  if (isWithoutAccounting(error)) return null;
  throw error;
}
