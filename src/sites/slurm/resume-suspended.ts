/**
 * Resumes jobs that an enforcer suspended, by a process other than the broker (rule SU-34).
 *
 * Uses the same orders and commands as the broker. The broker's record is only read: jobs that were resumed
 * or have left the queue are written to another file.
 */
import { Fault } from "../../base/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import type { RunCommand } from "./command.ts";
import { type EnforcedBook, type EnforcedJob, openEnforcedBook } from "./enforced-book.ts";
import { EnforcementOrders } from "./enforcement.ts";
import { readResumed, suspendedIn, type WatchOrder, writeResumed } from "./watchdog-files.ts";

const clock = { nowMs: () => Date.now() };

/** Resumes the suspended jobs in the record of `directory`. @throws Fault unless all of them run again */
export async function resumeSuspended(
  directory: string,
  { site, spec }: Pick<WatchOrder, "site" | "spec">,
  run: RunCommand,
): Promise<void> {
  const enforced = await bookBeside(directory);
  const siteJobs = [...enforced.all().keys()];
  if (siteJobs.length === 0) return;
  const book = { ...(await openAttemptBook(directory)), enforced };
  const requeueOwn = () => Promise.reject(new Error("what must hold: who lets go requeues nothing"));
  const orders = new EnforcementOrders({ name: site, spec, book, run, clock, requeueOwn });
  const { refused } = await orders.give({ verb: "resume", siteJobs, untilMs: clock.nowMs() });
  const [first] = refused;
  if (first !== undefined) throw notResumed(first.siteJob, first.why, refused.length);
}

/** Record of the suspended jobs; a job removed from it counts as resumed. */
async function bookBeside(directory: string): Promise<EnforcedBook> {
  const { all } = await openEnforcedBook(directory);
  const before = await readResumed(directory);
  let jobs = byId(suspendedIn(all().values(), before));
  let resumed = before;
  return {
    all: () => jobs,
    async write(now) {
      const kept = byId(now);
      const gone = [...jobs.values()].filter(({ siteJob }) => kept.get(siteJob)?.isSuspended !== true);
      resumed = [...resumed, ...gone.map(({ siteJob, submittedAtMs }) => ({ siteJob, submittedAtMs }))];
      await writeResumed(directory, resumed);
      jobs = byId(now.filter(({ isSuspended }) => isSuspended));
    },
  };
}

function byId(jobs: readonly EnforcedJob[]): ReadonlyMap<string, EnforcedJob> {
  return new Map(jobs.map((job) => [job.siteJob, job]));
}

function notResumed(siteJob: string, why: string, count: number): Fault {
  return new Fault({
    kind: "failed",
    code: "siteJobsNotGivenBack",
    what: `cannot resume ${count} jobs`,
    why: `job ${siteJob}: ${why}`,
    remedy: "run scontrol resume by hand",
  });
}
