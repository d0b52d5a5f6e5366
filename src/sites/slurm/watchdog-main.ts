/**
 * The watchdog of one site as a process of its own: `node watchdog-main.js DIRECTORY ID`. It has no parent to
 * ask and nobody to tell; it outlives a broker that is killed.
 */

import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import type { RunCommand } from "./command.ts";
import { type EnforcedBook, type EnforcedJob, openEnforcedBook } from "./enforced-book.ts";
import { EnforcementOrders } from "./enforcement.ts";
import { slurmRunner } from "./open-site.ts";
import {
  lastBeat,
  readLetGo,
  readWatchOrder,
  suspendedIn,
  type WatchOrder,
  writeLetGo,
} from "./watchdog-files.ts";

const [directory = "", id = ""] = process.argv.slice(2);
await watchOver(directory, id, {
  nowMs: () => performance.now(),
  wait: (ms) => delay(ms),
  letGo: (order) => letGoIn(directory, order, slurmRunner(order.spec, directory)),
});

// Resuming what an enforcer has suspended, by somebody else than its broker (rule SU-34).
//
// The same orders by the same commands as the broker's own. The book is only read: what was resumed, or has
// gone from the queue, is written beside it.

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

// What a watchdog does: waits until the broker is silent for too long, then resumes what the broker's
// enforcer has suspended.
//
// Silence is measured by a clock that nobody can set, from the last change of the heartbeat that it has seen.
// It ends by itself when nothing is suspended any more, when it is another one's turn, and when the site's
// folder has gone. Until then it goes on trying: a cluster that does not answer may answer later.

/** What it needs of the world. */
interface WatchWorld {
  /** Of a clock that only goes forward. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Resumes what the book says, and writes down what it has let go. @throws where that cannot be done */
  letGo(order: WatchOrder): Promise<void>;
}

/** It looks so many times within the promised time, and within these bounds. */
const LOOKS = 10;
const LEAST_MS = 100;
const MOST_MS = 10_000;
/** A cluster that does not do it is asked again more and more seldom, but at least this often. */
const SELDOM_MS = 60_000;

/** Watches over the site in `directory` as the watchdog `id`; resolves when it is over. */
export async function watchOver(directory: string, id: string, world: WatchWorld): Promise<void> {
  let seen = "";
  let sinceMs = world.nowMs();
  let failures = 0;
  for (;;) {
    const order = await readWatchOrder(directory);
    if (order?.id !== id || (await areAllUp(directory))) return;
    const beat = await lastBeat(directory);
    if (beat !== seen) {
      seen = beat;
      sinceMs = world.nowMs();
    }
    const isSilent = world.nowMs() - sinceMs >= order.silentMs;
    const isDone = !isSilent || (await world.letGo(order).then(isTrue, isFalse));
    failures = isDone ? 0 : failures + 1;
    const everyMs = Math.min(MOST_MS, Math.max(LEAST_MS, order.silentMs / LOOKS));
    await world.wait(Math.min(Math.max(SELDOM_MS, everyMs), everyMs * 2 ** failures));
  }
}

async function areAllUp(directory: string): Promise<boolean> {
  const book = await openEnforcedBook(directory);
  return suspendedIn(book.all().values(), await readLetGo(directory)).length === 0;
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
