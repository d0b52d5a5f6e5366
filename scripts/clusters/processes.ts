/**
 * Which processes belong to the test clusters, told from what they are and not from files with their ids:
 * after a kill -9 such a file names nobody, or somebody else.
 *
 * What we start carries our mark or its SLURM_CONF in its environment; Slurm hands SLURM_CONF on to its
 * helpers and to every job. A shell in which somebody said `export SLURM_CONF=…` is neither a daemon nor
 * on a node (SLURMD_NODENAME), and is left alone.
 */
import { readdirSync, readFileSync } from "node:fs";
import { clusterLayout } from "./layout.ts";

/** Variable in the environment of shared daemons, with the state directory. */
export const MARK = "STINT_TEST_CLUSTERS";

/** Facts about one process in /proc. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** Name of the program, 15 characters at most. */
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A process of the clusters: `daemon` is `slurmctld`, `slurmd:an1`, `munged`, …, or `job` for all of a
 * job's.
 */
export interface OurProcess {
  readonly pid: number;
  readonly daemon: string;
}

const sharedDaemons = new Set(["munged", "mariadbd", "slurmdbd"]);

/** Role of a process in the cluster `name` of `dir`, or undefined. */
export function roleInCluster(facts: ProcessFacts, dir: string, name: string): string | undefined {
  const { program, words, environment } = facts;
  if (environment.SLURM_CONF !== clusterLayout(dir, name).slurmConf) return undefined;
  if (program === "slurmctld" || program === "slurmscriptd") return program;
  if (program === "slurmd") return `slurmd:${words[words.indexOf("-N") + 1] ?? ""}`;
  return program === "slurmstepd" || environment.SLURMD_NODENAME !== undefined ? "job" : undefined;
}

/** Role of a process in the shared daemons of `dir`, or undefined. */
export function roleInShared({ program, environment }: ProcessFacts, dir: string): string | undefined {
  return environment[MARK] === dir && sharedDaemons.has(program) ? program : undefined;
}

/** Running processes of a cluster, with all descendants of its jobs. */
export function clusterProcesses(dir: string, name: string): OurProcess[] {
  const all = readProcesses();
  const ours = all.flatMap((facts): OurProcess[] => {
    const daemon = roleInCluster(facts, dir, name);
    return daemon === undefined ? [] : [{ pid: facts.pid, daemon }];
  });
  return withDescendants(ours, all);
}

/** Running shared daemons of the clusters in `dir`. */
export function sharedProcesses(dir: string): OurProcess[] {
  return readProcesses().flatMap((facts): OurProcess[] => {
    const daemon = roleInShared(facts, dir);
    return daemon === undefined ? [] : [{ pid: facts.pid, daemon }];
  });
}

/** True if test clusters of another state directory run on this machine. */
export function othersRun(dir: string): boolean {
  return readProcesses().some(
    ({ program, environment }) => sharedDaemons.has(program) && ![undefined, dir].includes(environment[MARK]),
  );
}

/** Adds the descendants of jobs' processes, whatever their environment. */
export function withDescendants(ours: readonly OurProcess[], all: readonly ProcessFacts[]): OurProcess[] {
  const found = new Map(ours.map(({ pid, daemon }) => [pid, daemon]));
  let sizeBefore = 0;
  while (sizeBefore !== found.size) {
    sizeBefore = found.size;
    for (const { pid, parent } of all) {
      if (found.get(parent) === "job" && !found.has(pid)) found.set(pid, "job");
    }
  }
  return [...found].map(([pid, daemon]) => ({ pid, daemon }));
}

/** Sends a signal; ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ESRCH";
}

function readProcesses(): ProcessFacts[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readProcess(Number(entry)) ?? []);
}

/**
 * Facts about a process; undefined for an ended one and for a zombie, which lasts if the machine's first
 * process reaps none.
 */
function readProcess(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, program = "", state = "", parent = ""] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    if (/[ZX]/.test(state)) return undefined;
    return {
      pid,
      parent: Number(parent),
      program,
      words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"),
      environment: environmentOf(readFileSync(`/proc/${pid}/environ`, "utf8")),
    };
  } catch {
    return undefined;
  }
}

function environmentOf(text: string): Record<string, string> {
  const pairs = text.split("\0").map((pair) => [pair, pair.indexOf("=")] as const);
  return Object.fromEntries(
    pairs.filter(([, at]) => at > 0).map(([pair, at]) => [pair.slice(0, at), pair.slice(at + 1)]),
  );
}
