/**
 * Which of the jobs that are to be held have no age yet, and how they are held so that they lose none.
 *
 * Slurm counts a job's age from the begin-time that it has when its scheduler first sees it, which takes up
 * to some seconds; nothing brings back what is lost then. So until the scheduler has seen it a job is held
 * for a few seconds only, again and again, and then as long as was ordered (rule SU-25).
 */
import { QUEUE_AGES_COMMAND, rowsWithAge } from "../../formats/slurm/index.ts";
import { askWith } from "./ask.ts";
import type { RunCommand } from "./command.ts";
import type { QueuedJob } from "./queued-tasks.ts";

/** A scheduler that is set up as Slurm comes looks at all that waits once a minute. */
const SEEN_AFTER_MS = 60_000;
/** Longer than it takes to look again and to order, where many orders are given. */
const SHORT_MS = 8000;
/** After how long it is looked again. */
export const LOOK_AGAIN_MS = 1000;
/** How often a job is held for a short time, before it is held as ordered, whatever that costs. */
export const SHORT_HOLDS = 5;

/** Who came so short a time ago is taken as not seen yet: it may start before anybody has asked. */
const JUST_NOW_MS = 2000;

const NONE: ReadonlySet<string> = new Set();

/** Those whose age does not count yet; asks only where one of them has not been there for long. */
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

/** Until when each job is held for now: those without an age for a short time, the others as was ordered. */
export function holdsUntil(
  orderedMs: number,
  ageless: ReadonlySet<string>,
  nowMs: number,
): (siteJob: string) => number {
  const shortMs = Math.min(orderedMs, nowMs + SHORT_MS);
  return (siteJob) => (ageless.has(siteJob) ? shortMs : orderedMs);
}
