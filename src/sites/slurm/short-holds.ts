/**
 * Holds for jobs that have no age yet.
 *
 * Slurm counts a job's age from the begin-time that it has when its scheduler first sees it, within some
 * seconds; lost age never returns. So until then a job is held for a few seconds at a time, and afterwards
 * as ordered (rule SU-25).
 */
import { QUEUE_AGES_COMMAND, rowsWithAge } from "../../formats/slurm/index.ts";
import { askWith } from "./ask.ts";
import type { RunCommand } from "./command.ts";
import type { QueuedJob } from "./queued-tasks.ts";

/** Time, in ms, after which Slurm's scheduler with default settings has seen every waiting job. */
const SEEN_AFTER_MS = 60_000;
/** Length of a short hold, in ms: longer than a reading and an order take under load. */
const SHORT_MS = 8000;
/** Interval between readings, in ms. */
export const RECHECK_MS = 1000;
/** Number of short holds before a job is held as ordered, whatever age it loses. */
export const SHORT_HOLDS = 5;

/** Age in ms below which a job counts as unseen: a reading could come too late. */
const JUST_NOW_MS = 2000;

const NONE: ReadonlySet<string> = new Set();

/** Jobs whose age does not count yet; reads the cluster only if one of them is recent. */
export async function jobsWithoutAge(
  run: RunCommand,
  asked: readonly QueuedJob[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const young = asked.filter(
    ({ row }) => row.state === "waiting" && nowMs - row.submittedAtMs < SEEN_AFTER_MS,
  );
  const isNew = ({ row }: QueuedJob) => nowMs - row.submittedAtMs < JUST_NOW_MS;
  const aged = young.every(isNew) ? NONE : rowsWithAge(await askWith(run)("ages", QUEUE_AGES_COMMAND));
  return new Set(young.flatMap(({ siteJob, row }) => (aged.has(row.siteJob) ? [] : [siteJob])));
}

/** End of each hold: soon for jobs without an age, as ordered for the others. */
export function holdsUntil(
  orderedMs: number,
  ageless: ReadonlySet<string>,
  nowMs: number,
): (siteJob: string) => number {
  const shortMs = Math.min(orderedMs, nowMs + SHORT_MS);
  return (siteJob) => (ageless.has(siteJob) ? shortMs : orderedMs);
}
