/**
 * One wrapper at a time has a stream: a block never has two consumers.
 *
 * The owner is a process of a host and a boot; on the same host it is looked for among the processes, on
 * another one it counts as gone when its heartbeat stood still for three beats. Before each writing of the
 * position the owner looks whether it still is one. What the previous owner's application left is ended.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/index.ts";

const NAME = "owner.json";
const BEAT_MS = 2000;
const BEATS = 3;

interface Owner {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Boot and tick of the start; empty on systems without /proc. */
  readonly mark: string;
  readonly beat: number;
  /** Application that runs; for a pipeline, `stages` has that of each stage. */
  readonly application?: Application;
  readonly stages?: readonly (Application | null)[];
}

interface Application {
  readonly pid: number;
  readonly mark: string;
}

/** Possession of a stream's directory. */
export interface Ownership {
  /** @throws Fault when another wrapper has taken over */
  readonly check: () => Promise<void>;
  /** @param stage number of the stage in its pipeline, from 0 */
  readonly noteApplication: (pid: number, stage?: number) => Promise<void>;
  readonly release: () => void;
}

/** Takes the directory. @throws Fault where a wrapper that lives has it */
export async function takeOwnership(directory: string): Promise<Ownership> {
  const before = await readOwner(directory);
  if (before !== undefined) {
    if (await lives(directory, before)) throw owned(directory, before);
    for (const one of [before.application, ...(before.stages ?? [])]) endApplication(before, one);
  }
  let owner: Owner = {
    ...{ id: randomUUID(), host: hostname(), pid: process.pid, mark: markOf(process.pid), beat: 0 },
  };
  let line: Promise<unknown> = Promise.resolve();
  // One after the other: the stages of a pipeline start at the same time.
  const write = (next: Owner): Promise<void> => {
    owner = next;
    const written = line.then(() => writeOwner(directory, next));
    line = written.catch(() => undefined);
    return written;
  };
  await write(owner);
  const isOurs = async (): Promise<boolean> => (await readOwner(directory))?.id === owner.id;
  const timer = setInterval(() => {
    // A full disk makes no difference to who owns the stream: the next beat tries again.
    const beat = async (): Promise<void> => {
      if (await isOurs()) await write({ ...owner, beat: owner.beat + 1 });
    };
    beat().catch(() => undefined);
  }, BEAT_MS);
  timer.unref();
  return {
    check: async () => {
      const now = await readOwner(directory);
      if (now !== undefined && now.id !== owner.id) throw owned(directory, now);
    },
    noteApplication: async (pid, stage) => {
      const application = { pid, mark: markOf(pid) };
      const stages = stage === undefined ? [] : [...(owner.stages ?? [])];
      if (stage !== undefined) {
        while (stages.length < stage) stages.push(null);
        stages[stage] = application;
      }
      const noted = stage === undefined ? { application } : { stages };
      await write({ ...owner, ...noted }).catch(() => undefined);
    },
    release: () => clearInterval(timer),
  };
}

async function lives(directory: string, before: Owner): Promise<boolean> {
  if (before.host === hostname()) {
    return before.pid !== process.pid && isRunning(before.pid, before.mark);
  }
  await sleep(BEATS * BEAT_MS);
  const now = await readOwner(directory);
  return now !== undefined && (now.beat !== before.beat || now.id !== before.id);
}

function endApplication({ host }: Owner, application: Application | null | undefined): void {
  if (host !== hostname() || application === undefined || application === null) return;
  if (!isRunning(application.pid, application.mark)) return;
  try {
    process.kill(application.pid, "SIGKILL");
  } catch {
    // It has ended in this moment.
  }
}

function isRunning(pid: number, mark: string): boolean {
  if (mark !== "") return markOf(pid) === mark;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Boot and start tick of a process; empty where there is none, it is a zombie, or there is no /proc. */
function markOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return isDead ? "" : `${boot}/${fields[19]}`;
  } catch {
    return "";
  }
}

async function writeOwner(directory: string, owner: Owner): Promise<void> {
  const path = join(directory, NAME);
  await writeFile(`${path}.new`, JSON.stringify(owner), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readOwner(directory: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, NAME), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

function owned(directory: string, { host, pid }: Owner): Fault {
  return new Fault({
    kind: "refused",
    code: "streamOwned",
    what: `another wrapper already runs the stream in ${directory}`,
    why: `process ${pid} on ${host} reads its data, and a stream can have only one reader`,
    remedy: "end that process, or give this stream its own directory",
  });
}
