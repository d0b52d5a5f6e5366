/**
 * The broker's end of a watchdog: a small process that resumes what an enforcer has suspended when the broker
 * is silent for longer than its lease (rules SU-34, SU-35).
 *
 * A hold ends by itself, since Slurm keeps its begin-time; for a suspension Slurm knows nothing of the kind.
 * So a process of its own session is begun before the first job is suspended. It is there only while
 * something is, also after a clean stop; a broker that comes back begins its own, and the other one ends.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { enforcementRulesOf, type SlurmSiteSpec } from "../../model/index.ts";
import type { EnforcedBook, EnforcedJob } from "./enforced-book.ts";
import { beat, readLetGo, removeLetGo, suspendedIn, writeWatchOrder } from "./watchdog-files.ts";

/** A site that is watched over. */
export interface Watched {
  readonly site: string;
  readonly spec: SlurmSiteSpec;
  /** Where the broker's side of it is remembered. */
  readonly directory: string;
  readonly enforced: EnforcedBook;
}

/** Begins a watchdog, which then runs by itself; `onEnd` hears of its end. */
export type StartWatchdog = (directory: string, id: string, onEnd: () => void) => void;

/** Somebody who resumes what is suspended when the broker does not. */
export interface Watchdog {
  /** The broker is there: takes in what was let go while it was not, and sees to it that somebody watches. */
  beat(): Promise<void>;
  /** A book after whose every writing somebody watches where something is suspended. */
  readonly enforced: EnforcedBook;
}

/** Nobody watches where `start` is undefined. */
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

/** The usual way: a process of this machine. */
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

/** What a watchdog resumed is not suspended by us any more, whoever suspends it next. */
async function takeIn(directory: string, enforced: EnforcedBook): Promise<void> {
  const letGo = await readLetGo(directory);
  if (letGo.length === 0) return;
  const still = new Set(suspendedIn(enforced.all().values(), letGo));
  const kept = [...enforced.all().values()].map((job) =>
    job.isSuspended && !still.has(job) ? { ...job, isSuspended: false } : job,
  );
  await enforced.write(kept.filter(hasAnything));
  await removeLetGo(directory);
}

function hasAnything({ begins, nice, isSuspended }: EnforcedJob): boolean {
  return isSuspended || begins.length > 0 || nice !== null;
}

/** Compiled: beside this file, or in dist/ when this file itself runs as TypeScript. */
function programFile(): string {
  const beside = fileURLToPath(new URL("./watchdog-main.js", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../dist/sites/slurm/watchdog-main.js", import.meta.url));
}
