/**
 * The broker's side of a watchdog: a small process that resumes suspended jobs if the broker is silent for
 * longer than its lease (rule SU-34).
 *
 * A hold ends by itself, since Slurm stores its begin-time; Slurm has no such limit for a suspension. So a
 * process with its own session is started before the first suspension. It runs only while a job is
 * suspended, also after a clean stop; a broker that returns starts its own, and the other one ends.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { enforcementRulesOf, type SlurmSiteSpec } from "../../model/index.ts";
import type { EnforcedBook, EnforcedJob } from "./enforced-book.ts";
import { beat, readResumed, removeResumed, suspendedIn, writeWatchOrder } from "./watchdog-files.ts";

/** A site with a watchdog. */
export interface Watched {
  readonly site: string;
  readonly spec: SlurmSiteSpec;
  /** Directory of the broker's records of the site. */
  readonly directory: string;
  readonly enforced: EnforcedBook;
}

/** Starts a watchdog, which then runs by itself; `onEnd` is called at its end. */
export type StartWatchdog = (directory: string, id: string, onEnd: () => void) => void;

/** Resumes suspended jobs if the broker does not. */
export interface Watchdog {
  /** Writes a heartbeat, records jobs that were resumed meanwhile, and starts a watchdog if needed. */
  beat(): Promise<void>;
  /** Record of an enforcer; a watchdog runs whenever it has a suspended job. */
  readonly enforced: EnforcedBook;
}

/** Watchdog of a site; without `start` there is none. */
export function watchdogOf(watched: Watched, start: StartWatchdog | undefined): Watchdog {
  const { directory, enforced, site, spec } = watched;
  let mine: string | undefined;
  const begin = async (): Promise<void> => {
    if (start === undefined || !isAnySuspended(enforced)) return;
    await beat(directory);
    if (mine !== undefined) return;
    const id = randomBytes(6).toString("hex");
    mine = id;
    await writeWatchOrder(directory, { id, site, spec, silentMs: enforcementRulesOf(spec).leaseMs });
    start(directory, id, () => {
      if (mine === id) mine = undefined;
    });
  };
  return {
    async beat() {
      await takeIn(directory, enforced);
      await begin();
    },
    enforced: {
      all: () => enforced.all(),
      async write(jobs) {
        await enforced.write(jobs);
        await begin();
      },
    },
  };
}

/** Starts a watchdog as a process of this machine. */
export const startWatchdog: StartWatchdog = (directory, id, onEnd) => {
  // Of its own session: it is to be there when the broker is not.
  const words = [programFile(), directory, id];
  const child = spawn(process.execPath, words, { detached: true, stdio: "ignore", cwd: "/" });
  child.once("exit", onEnd).once("error", onEnd);
  child.unref();
};

function isAnySuspended(enforced: EnforcedBook): boolean {
  for (const { isSuspended } of enforced.all().values()) if (isSuspended) return true;
  return false;
}

/** Records that jobs which a watchdog resumed are no longer suspended by us. */
async function takeIn(directory: string, enforced: EnforcedBook): Promise<void> {
  const resumed = await readResumed(directory);
  if (resumed.length === 0) return;
  const still = new Set(suspendedIn(enforced.all().values(), resumed));
  const kept = [...enforced.all().values()].map((job) =>
    job.isSuspended && !still.has(job) ? { ...job, isSuspended: false } : job,
  );
  await enforced.write(kept.filter(hasAnything));
  await removeResumed(directory);
}

function hasAnything({ begins, nice, isSuspended }: EnforcedJob): boolean {
  return isSuspended || begins.length > 0 || nice !== null;
}

/** Compiled program: beside this file, or in dist/ if this file runs as TypeScript. */
function programFile(): string {
  const beside = fileURLToPath(new URL("./watchdog-main.js", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../dist/sites/slurm/watchdog-main.js", import.meta.url));
}
