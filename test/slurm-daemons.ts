/**
 * A cluster of a test's own, whose daemons it may stop, kill and start, with settings of its own.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { clusterProcesses } from "../scripts/clusters/processes.ts";
import { mustRun } from "../scripts/clusters/run.ts";
import { clustersDirectory, clusterUp, runCommand, type TestCluster } from "./slurm-clusters.ts";
import type { Ran } from "./stint.ts";

const LOOK_EVERY_MS = 100;

/** A cluster and its daemons, `slurmctld` and `slurmd:NODE`. */
export interface OwnCluster extends TestCluster {
  /** Signals a daemon. Killed, it is gone when this resolves. */
  signal(daemon: string, signal: NodeJS.Signals): Promise<void>;
  /** Starts a daemon; the controller answers when this resolves. */
  start(daemon: string): Promise<void>;
  /** Starts a daemon that is gone, and lets one go on that was stopped. */
  ensure(daemon: string): Promise<void>;
  /** Runs one of Slurm's commands as root, which may fail. */
  slurm(...command: string[]): Promise<Ran>;
  /** Everything in the queue: `RUNNING`, … by the job's id. */
  queue(): Promise<Readonly<Record<string, string>>>;
  /** The slurmstepd of jobs. */
  jobKeepers(): readonly number[];
  /** Gives a file that a test wrote to Slurm's user. */
  own(file: string): Promise<void>;
}

/**
 * Brings it up with some of its settings otherwise; a name that there is not yet is added at the end.
 *
 * @param name a letter that no other test file has, since files run side by side
 * @param more lines of slurm.conf besides
 */
export async function ownCluster(
  name: string,
  nodes: number,
  settings: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<OwnCluster> {
  const cluster = await clusterUp(name, ["--fresh", "--nodes", String(nodes), "--kind", "plain"]);
  const own = daemonsOf(cluster);
  const daemons = ["slurmctld", ...own.nodes.map((node) => `slurmd:${node}`)];
  for (const daemon of daemons) await own.signal(daemon, "SIGKILL");
  const file = cluster.environment.SLURM_CONF;
  writeFileSync(file, adjusted(readFileSync(file, "utf8"), settings, more));
  for (const daemon of daemons) await own.start(daemon);
  return own;
}

/** A setting has one line: a second one is complained of by every command. */
function adjusted(text: string, settings: Readonly<Record<string, string>>, more: readonly string[]): string {
  const kept = text.split("\n").filter((line) => line !== "" && !(line.split("=")[0] in settings));
  const wanted = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return `${[...wanted, ...kept, ...more].join("\n")}\n`;
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

function daemonsOf(cluster: TestCluster): OwnCluster & { readonly nodes: readonly string[] } {
  const dir = clustersDirectory();
  const { environment, name } = cluster;
  const found = (daemon: string) => clusterProcesses(dir, name).filter((it) => it.daemon === daemon);
  const nodes = clusterProcesses(dir, name).flatMap(({ daemon }) =>
    daemon.startsWith("slurmd:") ? [daemon.slice("slurmd:".length)] : [],
  );
  const slurm = (...command: string[]) => runCommand(command, environment);
  const signal = async (daemon: string, name: NodeJS.Signals): Promise<void> => {
    for (const { pid } of found(daemon)) process.kill(pid, name);
    while (name === "SIGKILL" && found(daemon).length > 0) await delay(LOOK_EVERY_MS);
  };
  const start = async (daemon: string): Promise<void> => {
    const [program, node] = daemon.split(":");
    mustRun(node === undefined ? [program] : [program, "-N", node], { environment });
    while (program === "slurmctld" && (await slurm("scontrol", "ping")).code !== 0) {
      if (found(daemon).length === 0) throw new Error("slurmctld has ended where it should have begun");
      await delay(LOOK_EVERY_MS);
    }
  };
  return {
    ...cluster,
    nodes: [...new Set(nodes)].sort(),
    slurm,
    queue: async () => {
      const { out } = await slurm("squeue", "-h", "-o", "%i %T");
      const rows = out.split("\n").filter(Boolean);
      return Object.fromEntries(rows.map((row) => row.split(" ")));
    },
    signal,
    start,
    async ensure(daemon) {
      await (found(daemon).length === 0 ? start(daemon) : signal(daemon, "SIGCONT"));
    },
    jobKeepers: () => found("job").flatMap(({ pid }) => (programOf(pid) === "slurmstepd" ? [pid] : [])),
    async own(file) {
      mustRun(["chown", "slurm:", file]);
    },
  };
}
