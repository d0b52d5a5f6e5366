/**
 * Resuming what an enforcer has suspended, by somebody else than its broker (rule SU-34).
 *
 * The same orders by the same commands as the broker's own. The book is only read: what was resumed, or has
 * gone from the queue, is written beside it.
 */
import { Fault } from "../../base/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import type { RunCommand } from "./command.ts";
import { type EnforcedBook, type EnforcedJob, openEnforcedBook } from "./enforced-book.ts";
import { EnforcementOrders } from "./enforcement.ts";
import { readLetGo, suspendedIn, type WatchOrder, writeLetGo } from "./watchdog-files.ts";

const clock = { nowMs: () => Date.now() };

/** Resumes what the book in `directory` says. @throws Fault where not all of it is up again */
export async function letGoIn(
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

/** The suspended jobs of the book; what is not in it any more when it is written counts as let go. */
async function bookBeside(directory: string): Promise<EnforcedBook> {
  const { all } = await openEnforcedBook(directory);
  const before = await readLetGo(directory);
  let jobs = byId(suspendedIn(all().values(), before));
  let letGo = before;
  return {
    all: () => jobs,
    async write(now) {
      const kept = byId(now);
      const gone = [...jobs.values()].filter(({ siteJob }) => kept.get(siteJob)?.isSuspended !== true);
      letGo = [...letGo, ...gone.map(({ siteJob, submittedAtMs }) => ({ siteJob, submittedAtMs }))];
      await writeLetGo(directory, letGo);
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
    remedy: "scontrol resume does it by hand",
  });
}
