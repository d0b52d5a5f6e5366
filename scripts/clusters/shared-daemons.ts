/**
 * Shared daemons of the clusters in a state directory: munged (authentication), mariadbd and slurmdbd
 * (accounting). All are private: another munged, database or Slurm of this machine is neither used nor
 * affected.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, openSync, renameSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder, ownerNamed, root, writeOwned } from "./folders.ts";
import { type KeptShared, keep, keptPorts, readKeptShared } from "./kept.ts";
import { type SharedLayout, sharedLayout } from "./layout.ts";
import { choosePorts, isPortAnswering, isPortFree } from "./ports.ts";
import { MARK, sharedProcesses } from "./processes.ts";
import { commandFailed, mustRun, type Ran, run, waitUntil } from "./run.ts";
import { DATABASE, slurmdbdConf } from "./slurmdbd-conf.ts";

const START_LIMIT_MS = 30_000;

/** This machine's short name, as in Slurm's daemons. */
export function shortHostName(): string {
  return hostname().replace(/\..*$/, "");
}

/**
 * Starts the missing shared daemons, and waits until they answer.
 *
 * @returns the names of those that were started
 *
 * @throws Fault (failed)
 */
export async function startShared(dir: string): Promise<string[]> {
  const layout = sharedLayout(dir);
  const running = new Set(sharedProcesses(dir).map(({ daemon }) => daemon));
  const kept = await keptOrChosen(dir, layout);
  const started: string[] = [];
  if (!running.has("munged")) started.push(await startMunged(layout));
  if (!running.has("mariadbd")) started.push(await startDatabase(layout, kept));
  if (!running.has("slurmdbd")) started.push(await startAccounting(layout, kept));
  return started;
}

/** Runs SQL in the database; returns its output. */
export function runSql({ databaseSocket }: SharedLayout, sql: string): string {
  const command = ["mariadb", "--no-defaults", "--user=root", `--socket=${databaseSocket}`, "-N", "-B"];
  return mustRun(command, { input: sql });
}

async function keptOrChosen(dir: string, layout: SharedLayout): Promise<KeptShared> {
  makeFolder(layout.folder, root);
  const kept = readKeptShared(dir);
  if (kept !== undefined) return kept;
  const request = { count: 2, seed: dir, kept: keptPorts(dir), isFree: isPortFree };
  const [databasePort = 0, accountingPort = 0] = await choosePorts(request);
  const chosen = { databasePort, accountingPort, password: randomBytes(16).toString("hex") };
  keep(layout.kept, chosen);
  return chosen;
}

async function startMunged(layout: SharedLayout): Promise<string> {
  const owner = ownerNamed("munge");
  makeFolder(layout.munge, owner);
  if (!existsSync(layout.mungeKey)) writeOwned(layout.mungeKey, randomBytes(128), owner, 0o400);
  const command = [
    ...asDaemonUser("munge"),
    "munged",
    // A socket that is left from a killed munged is taken over.
    "--force",
    `--key-file=${layout.mungeKey}`,
    `--socket=${layout.mungeSocket}`,
    `--pid-file=${join(layout.munge, "pid")}`,
    `--log-file=${join(layout.munge, "log")}`,
    `--seed-file=${join(layout.munge, "seed")}`,
  ];
  startDaemon(command, layout, {});
  const probe = ["munge", "-n", `--socket=${layout.mungeSocket}`];
  await mustAnswer(probe, () => run(probe, { limitMs: 2000 }));
  return "munged";
}

async function startDatabase(layout: SharedLayout, { databasePort, password }: KeptShared): Promise<string> {
  const owner = ownerNamed("mysql");
  makeFolder(layout.database, owner);
  if (!existsSync(layout.databaseFiles)) makeDatabase(layout);
  const log = openSync(join(layout.database, "log"), "a");
  const options = [
    "--no-defaults",
    "--user=mysql",
    `--datadir=${layout.databaseFiles}`,
    `--socket=${layout.databaseSocket}`,
    `--port=${databasePort}`,
    "--bind-address=127.0.0.1",
    `--pid-file=${join(layout.database, "pid")}`,
    "--innodb-buffer-pool-size=64M",
    "--innodb-log-file-size=16M",
    "--innodb-lock-wait-timeout=900",
    // What is committed is in the kernel's hands: a kill -9 loses nothing, and commits are quick.
    "--innodb-flush-log-at-trx-commit=2",
  ];
  spawn("/usr/sbin/mariadbd", options, {
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...ownTemporaryFiles(layout), [MARK]: layout.dir },
    cwd: "/",
  }).unref();
  const probe = [
    "mariadb-admin",
    "--no-defaults",
    "--user=root",
    `--socket=${layout.databaseSocket}`,
    "ping",
  ];
  await mustAnswer(probe, () => run(probe, { limitMs: 5000 }));
  const users = ["localhost", "127.0.0.1"].map((host) => `'${DATABASE.user}'@'${host}'`);
  const grants = users.map(
    (user) =>
      `create user if not exists ${user} identified by '${password}';` +
      `grant all on ${DATABASE.name}.* to ${user};`,
  );
  runSql(layout, `create database if not exists ${DATABASE.name};${grants.join("")}`);
  return "mariadbd";
}

/**
 * The empty database appears whole, made in a folder of our own: after a kill -9 of `up` its children may
 * still be making another. What was left half made goes with the database's folder.
 */
function makeDatabase(layout: SharedLayout): void {
  const { databaseFiles } = layout;
  const draft = mkdtempSync(`${databaseFiles}.new-`);
  mustRun(
    [
      "mariadb-install-db",
      "--no-defaults",
      "--user=mysql",
      `--datadir=${draft}`,
      // The database's root is this machine's root, through the socket, and nobody else.
      "--auth-root-authentication-method=socket",
      "--skip-test-db",
    ],
    { limitMs: 120_000, environment: ownTemporaryFiles(layout) },
  );
  renameSync(draft, databaseFiles);
}

/** From a shared folder, a database that starts removes the temporary tables of others, which use them. */
function ownTemporaryFiles({ database }: SharedLayout): { readonly TMPDIR: string } {
  return { TMPDIR: database };
}

async function startAccounting(layout: SharedLayout, kept: KeptShared): Promise<string> {
  const owner = ownerNamed("slurm");
  makeFolder(layout.accounting, owner);
  const facts = { shared: layout, port: kept.accountingPort, host: shortHostName() };
  const text = slurmdbdConf({ ...facts, databasePort: kept.databasePort, password: kept.password });
  writeOwned(layout.slurmdbdConf, text, owner, 0o600);
  const environment = { SLURM_CONF: layout.slurmdbdEnvironment };
  startDaemon([...asDaemonUser("slurm"), "slurmdbd"], layout, environment);
  const answers = await waitUntil(START_LIMIT_MS, () => isPortAnswering(kept.accountingPort));
  if (answers) return "slurmdbd";
  const log = `nothing listens on its port; see ${join(layout.accounting, "slurmdbd.log")}`;
  throw commandFailed(["slurmdbd"], { code: 1, out: "", err: log });
}

/** Prefix of a daemon's command line that runs it as a user, with that user's rights only. */
function asDaemonUser(name: string): string[] {
  const { uid, gid } = ownerNamed(name);
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}

/** Starts a daemon that puts itself into the background. */
function startDaemon(
  command: readonly string[],
  { dir }: SharedLayout,
  environment: Readonly<Record<string, string>>,
): void {
  mustRun(command, { environment: { ...environment, [MARK]: dir }, limitMs: START_LIMIT_MS });
}

async function mustAnswer(command: readonly string[], probe: () => Ran): Promise<void> {
  let last = probe();
  const answers = await waitUntil(START_LIMIT_MS, () => {
    last = probe();
    return last.code === 0;
  });
  if (!answers) throw commandFailed(command, last);
}
