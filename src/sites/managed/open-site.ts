/**
 * Opens this machine as a managed site: makes its folders, clears leftovers of earlier lives, fills in
 * defaults.
 */
import { mkdir, readdir, realpath, rm } from "node:fs/promises";
import { availableParallelism, homedir, totalmem, userInfo } from "node:os";
import { join } from "node:path";
import type { ManagedSite, SiteCapacity } from "../../runtime/index.ts";
import { LocalSite } from "./local-site.ts";
import { type SitePlaces, sitePlaces } from "./places.ts";
import { siteFault } from "./site-fault.ts";
import { checkWrapper } from "./start-wrapper.ts";

/** Settings of this machine as a site. */
export interface ManagedSiteOptions {
  readonly name: string;
  /** Directory for the jobs; made with mode 0700 if absent. One site per directory. */
  readonly directory: string;
  /** Processors for jobs; default: those that this process may use. */
  readonly procs?: number;
  /** Memory for jobs, in bytes; default: that of the machine or of its container. */
  readonly memoryBytes?: number;
  /** Time between TERM and KILL, in ms; default 10 s. */
  readonly graceMs?: number;
  /** Interval of the periodic check of all attempts, in ms; default 1 s. */
  readonly pollMs?: number;
  /** PATH of jobs; default: the broker's. */
  readonly path?: string;
}

const GRACE_MS = 10_000;
const POLL_MS = 1000;
const PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Opens the site. The first listener receives what ran or ended in the meantime.
 *
 * @throws Fault `siteFailed` if the directory cannot be used, `wrapperMissing` if Stint is not built
 */
export async function openManagedSite(options: ManagedSiteOptions): Promise<ManagedSite> {
  checkWrapper();
  const places = await makePlaces(options.directory);
  const machine = machineCapacity();
  return new LocalSite({
    name: options.name,
    places,
    capacity: {
      procs: options.procs ?? machine.procs,
      memoryBytes: options.memoryBytes ?? machine.memoryBytes,
    },
    environment: plainEnvironment(options.path),
    graceMs: options.graceMs ?? GRACE_MS,
    pollMs: options.pollMs ?? POLL_MS,
  });
}

/** Processors that this process may use, and memory of the machine or its container. */
export function machineCapacity(): SiteCapacity {
  return { procs: availableParallelism(), memoryBytes: usableMemoryBytes() };
}

async function makePlaces(directory: string): Promise<SitePlaces> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const places = sitePlaces(await realpath(directory));
    for (const path of Object.values(places)) await mkdir(path, { recursive: true, mode: 0o700 });
    await clear(places.trash, () => true);
    await clear(places.staging, (name) => !isPid(Number.parseInt(name, 10)));
    return places;
  } catch (error) {
    throw siteFault(error, `cannot use ${directory} for jobs`);
  }
}

async function clear(folder: string, isWaste: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isWaste(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** True if a process with this number exists: a draft of that process is not removed. */
function isPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function usableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Base environment of jobs: what programs commonly need, without the broker's secrets. */
function plainEnvironment(path: string | undefined): Record<string, string> {
  const { username } = userInfo();
  return {
    PATH: path ?? process.env.PATH ?? PLAIN_PATH,
    HOME: homedir(),
    USER: username,
    LOGNAME: username,
    LANG: process.env.LANG ?? "C.UTF-8",
  };
}
