/**
 * Takes a test cluster down, so that no process of it is left: daemons, jobs, and what jobs started. With
 * the last cluster of a state directory go the shared daemons, with its purging the directory and the users.
 *
 * To its jobs it is a power cut: after the next `up` Slurm may show them as running for a good while yet.
 */
import { rmSync } from "node:fs";
import { Fault } from "../../src/base/index.ts";
import { keptClusters, readKeptCluster } from "./kept.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import { clusterProcesses, type OurProcess, othersRun, sharedProcesses, signal } from "./processes.ts";
import { waitUntil } from "./run.ts";
import { slurmName } from "./shape.ts";
import { runSql, startShared } from "./shared-daemons.ts";
import { DATABASE } from "./slurmdbd-conf.ts";
import { removeUsers } from "./users.ts";

const PATIENCE_MS = 15_000;

/** Removes a folder with its content, even while a process that is ending still writes. */
const whole = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Result of `down`. */
export interface DownReport {
  readonly name: string;
  /** Number of processes that were ended. */
  readonly ended: number;
  readonly removedUsers: readonly string[];
}

/**
 * Takes one cluster down; with `isPurge` its files and its part of the database are removed.
 *
 * @throws Fault (failed) if a process cannot be ended
 */
export async function takeDown(dir: string, name: string, isPurge: boolean): Promise<DownReport> {
  const others = keptClusters(dir).filter((other) => other !== name);
  const isThere = readKeptCluster(dir, name) !== undefined;
  const stopped = await stopCluster(dir, name);
  if (isPurge && others.length > 0 && isThere) await forgetCluster(dir, name);
  const isLast = others.every((other) => clusterProcesses(dir, other).length === 0);
  const ended = stopped + (isLast ? await stopShared(dir) : 0);
  if (others.length === 0 && (isPurge || !isThere)) rmSync(dir, whole);
  const isUsersEnd = others.length === 0 && isPurge && !othersRun(dir);
  return { name, ended, removedUsers: isUsersEnd ? await removeUsers() : [] };
}

/** Ends all processes of one cluster; returns their number. */
export async function stopCluster(dir: string, name: string): Promise<number> {
  const look = () => clusterProcesses(dir, name);
  const first = look();
  // The controller first, while the accounting database is there to hear its last words.
  await endAll(() => look().filter(({ daemon }) => daemon === "slurmctld"), "SIGTERM");
  for (const { pid } of look().filter(({ daemon }) => daemon === "job")) signal(pid, "SIGKILL");
  await endAll(look, "SIGTERM");
  return first.length;
}

/**
 * Forgets a stopped cluster: its files, and its tables in the database. By hand, because `sacctmgr delete
 * cluster` keeps the jobs of the past, and refuses where one had not ended; without slurmdbd, which keeps
 * the list of clusters in its memory.
 */
export async function forgetCluster(dir: string, name: string): Promise<void> {
  await startShared(dir);
  await endAll(() => sharedProcesses(dir).filter(({ daemon }) => daemon === "slurmdbd"), "SIGTERM");
  const shared = sharedLayout(dir);
  const cluster = slurmName({ name });
  const named = `table_schema = '${DATABASE.name}' and table_name like '${cluster}\\_%'`;
  const tables = runSql(shared, `select table_name from information_schema.tables where ${named};`);
  const drops = tables
    .split("\n")
    .filter((table) => table !== "")
    .map((table) => `drop table \`${table}\`;`);
  runSql(
    shared,
    `use ${DATABASE.name};${drops.join("")}delete from cluster_table where name = '${cluster}';`,
  );
  await startShared(dir);
  rmSync(clusterLayout(dir, name).folder, whole);
}

/** Stops the shared daemons in order of dependence: accounting, its database, authentication. */
async function stopShared(dir: string): Promise<number> {
  const first = sharedProcesses(dir);
  for (const name of ["slurmdbd", "mariadbd", "munged"]) {
    await endAll(() => sharedProcesses(dir).filter(({ daemon }) => daemon === name), "SIGTERM");
  }
  return first.length;
}

/** Sends a polite signal, and KILL after a while. A stopped process (SIGSTOP) receives only the latter. */
async function endAll(look: () => readonly OurProcess[], polite: NodeJS.Signals): Promise<void> {
  for (const { pid } of look()) signal(pid, polite);
  if (await waitUntil(PATIENCE_MS, () => look().length === 0)) return;
  const gone = await waitUntil(PATIENCE_MS, () => {
    const left = look();
    for (const { pid } of left) signal(pid, "SIGKILL");
    return left.length === 0;
  });
  if (gone) return;
  throw new Fault({
    kind: "failed",
    code: "processesLeft",
    what: "some processes of the test cluster do not end",
    why: look()
      .map(({ pid, daemon }) => `${daemon} (${pid})`)
      .join(", "),
    remedy: "Look what they wait for; then `scripts/clusters/slurm down` again.",
  });
}
