/**
 * Opens this machine as a managed site: the folders, the leavings of earlier lives, the defaults.
 */
import { mkdir, readdir, realpath, rm } from "node:fs/promises";
import { availableParallelism, homedir, totalmem, userInfo } from "node:os";
import { join } from "node:path";
import type { ManagedSite, SiteCapacity } from "../../runtime/index.ts";
import { LocalSite } from "./local-site.ts";
import { type SitePlaces, sitePlaces } from "./places.ts";
import { siteFault } from "./site-fault.ts";
import { checkWrapper } from "./start-wrapper.ts";

/** How this machine is a site. */
export interface ManagedSiteOptions {
  readonly name: string;
  /** Where it keeps the jobs; made when it is not there, for this user alone. One site, one directory. */
  readonly directory: string;
  /** Processors to give away; default: those that this process may use. */
  readonly procs?: number;
  /** Memory to give away; default: the machine's, or what the container may use. */
  readonly memoryBytes?: number;
  /** Between TERM and KILL; default 10 s. */
  readonly graceMs?: number;
  /** How often everything is looked at besides what the system tells; default 1 s. */
  readonly pollMs?: number;
  /** The PATH of jobs; default: the broker's. */
  readonly path?: string;
}

const GRACE_MS = 10_000;
const POLL_MS = 1000;
const PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Opens the site. What ran or ended in the meantime is told to the first listener.
 *
 * @throws Fault `siteFailed` when the directory cannot be used, `wrapperMissing` when Stint is not built
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

/** What this machine has: the processors that this process may use, the memory of it or of its container. */
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

/** Whether some process has this number: what it prepares is left alone, if it is the one. */
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

/** What a job finds beside its own variables: enough for a program to feel at home, no secrets of ours. */
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
