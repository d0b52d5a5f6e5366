/**
 * Reports of a wrapper: the latest in `report.json`, all as lines of `reports.jsonl`, which is kept short.
 *
 * Every second while something changes, else every ten; rates are those of the last two seconds.
 */
import { appendFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StageFigures } from "./pipeline.ts";
import type { TrialFigures } from "./trial.ts";
import type { Trouble } from "./trouble.ts";

/** States of a wrapper. */
export type WrapperState =
  | "running"
  | "halted"
  | "stalled"
  | "suspended"
  | "draining"
  | "diskFull"
  | "done"
  | "stopped"
  | "failed";

/** State of a stream as its wrapper sees it. */
interface StreamReport {
  readonly stream: string;
  readonly at: string;
  readonly state: WrapperState;
  readonly allocatedBytesPerSec: number;
  /** False while the minimum holds because the allocation was not renewed. */
  readonly isLeased: boolean;
  readonly receivedBytesPerSec: number;
  readonly processedBytesPerSec: number;
  readonly receivedBytes: number;
  readonly ackedBytes: number;
  /** Bytes of all sources; null while one is not known. */
  readonly totalBytes: number | null;
  readonly occupiedBytes: number;
  readonly quotaBytes: number;
  /** Results that the sink has not confirmed yet, and those that it has; absent without a sink. */
  readonly unsentBytes?: number;
  readonly sentBytes?: number;
  /** Stages of a pipeline, in their order; absent for a single program. */
  readonly stages?: readonly StageFigures[];
  /** Measurements of a trial; absent outside trials. */
  readonly trial?: TrialFigures;
  readonly halts: number;
  readonly haltedSec: number;
  /** First block without an acknowledgement, and its place. */
  readonly position: { readonly seq: number; readonly source: string | null; readonly offset: number };
  readonly setAsideBlocks: readonly number[];
  readonly crashes: number;
  /** Serial number of the last orders. */
  readonly control: number | null;
  /** Last trouble with a source or a sink, while it lasts. */
  readonly trouble: string | null;
  /** Which of them it is with, since when, and when the next attempt begins; absent without trouble. */
  readonly stall?: {
    readonly with: Trouble["with"];
    readonly since: string;
    readonly nextAttempt?: string;
  };
  readonly failure: { readonly code: string; readonly what: string; readonly why: string } | null;
}

/** A report without what the reporter adds. */
export type StreamFigures = Omit<StreamReport, "at" | "receivedBytesPerSec" | "processedBytesPerSec">;

/** State of its transfers. */
export type PullFigures = Omit<
  StreamFigures,
  | "stream"
  | "state"
  | "allocatedBytesPerSec"
  | "isLeased"
  | "control"
  | "crashes"
  | "failure"
  | "stages"
  | "trial"
>;

/** Name of the file of the latest report. */
const REPORT_FILE = "report.json";
const LINES_FILE = "reports.jsonl";
const MOST_BYTES = 1_000_000;
const EVERY_MS = 1000;
const QUIET_MS = 10_000;
const WINDOW_MS = 2000;

/** Writes reports until it is stopped. */
interface Reporter {
  /** Writes a last report. */
  readonly stop: () => Promise<void>;
}

/** Begins to report. @param figures the state at this moment */
export function startReporter(directory: string, figures: () => StreamFigures): Reporter {
  const marks: { readonly atMs: number; readonly received: number; readonly acked: number }[] = [];
  let last = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  const report = (): StreamReport => {
    const now = figures();
    const atMs = performance.now();
    marks.push({ atMs, received: now.receivedBytes, acked: now.ackedBytes });
    while (marks.length > 2 && marks[1].atMs <= atMs - WINDOW_MS) marks.shift();
    const sec = Math.max(0.001, (atMs - marks[0].atMs) / 1000);
    return {
      ...now,
      at: new Date().toISOString(),
      receivedBytesPerSec: Math.round((now.receivedBytes - marks[0].received) / sec),
      processedBytesPerSec: Math.round((now.ackedBytes - marks[0].acked) / sec),
    };
  };
  const write = (isLast: boolean): void => {
    const now = report();
    const same = JSON.stringify({ ...now, at: "" });
    if (!isLast && same === last && performance.now() - lastAt < QUIET_MS) return;
    last = same;
    lastAt = performance.now();
    // A full disk costs reports, never data.
    writing = writing.then(() => writeReport(directory, now)).catch(() => undefined);
  };
  const timer = setInterval(() => write(false), EVERY_MS);
  write(false);
  return {
    stop: async () => {
      clearInterval(timer);
      write(true);
      await writing;
    },
  };
}

async function writeReport(directory: string, report: StreamReport): Promise<void> {
  const path = join(directory, REPORT_FILE);
  await writeFile(`${path}.new`, JSON.stringify(report), { mode: 0o600 });
  await rename(`${path}.new`, path);
  const lines = join(directory, LINES_FILE);
  await appendFile(lines, `${JSON.stringify(report)}\n`, { mode: 0o600 });
  if ((await stat(lines)).size > MOST_BYTES) await rename(lines, `${lines}.1`);
}
