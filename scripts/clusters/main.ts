/** The command line of `scripts/clusters/slurm`. */
import { join, resolve } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { Fault } from "../../src/base/index.ts";
import { type DownReport, takeDown } from "./down.ts";
import { keptClusters, readKeptCluster } from "./kept.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import { withLock } from "./lock.ts";
import { makeStateDirectory, requirePrerequisites } from "./prerequisites.ts";
import { clusterName, describeShape, type ShapeRequest } from "./shape.ts";
import { describeStatus, lookAt } from "./status.ts";
import { bringUp } from "./up.ts";

/** Exit codes, as in --help and the README. */
const exitCodes = { done: 0, failed: 1, badInput: 2, cannotBeHere: 3 } as const;

interface Common {
  readonly name: string;
  readonly dir: string;
}

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(words, { from: "user" });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badInput;
    if (!(error instanceof Fault)) throw error;
    process.stderr.write(`slurm: ${error.what}\n  why: ${error.why}\n  do:  ${error.remedy}\n`);
    return exitCodeOf(error);
  }
}

function exitCodeOf({ code, kind }: Fault): number {
  if (code === "slurmMissing" || code === "notRoot") return exitCodes.cannotBeHere;
  return kind === "badInput" || kind === "refused" ? exitCodes.badInput : exitCodes.failed;
}

function program(): Command {
  const all = new Command("slurm")
    .description("Test clusters of Slurm on this machine: Debian's packages, no systemd, as root.")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 wrong words, 3 Slurm or root is missing.")
    .exitOverride();
  addUp(all.command("up").exitOverride());
  addDown(all.command("down").exitOverride());
  addStatus(all.command("status").exitOverride());
  addEnv(all.command("env").exitOverride());
  return all;
}

function addUp(command: Command): void {
  common(command)
    .description("make a cluster, or start what is missing of it; wait until its nodes answer")
    .option("--nodes <number>", "nodes, a slurmd each (4)")
    .option("--cpus <number>", "processors of a node as Slurm counts them (4)")
    .option("--memory <size>", "memory of a node as Slurm counts it (4G)")
    .option("--kind <kind>", "plain, or rich: cores and memory, GPUs, QOS, private data (B is rich)")
    .option("--users", "make test users on this machine (stint-alice, …) with associations")
    .option("--fresh", "forget the cluster that is there: its jobs, ids and accounting")
    .action(async (options: Common & ShapeRequest & { users?: true; fresh?: true }) => {
      requirePrerequisites();
      makeStateDirectory(options.dir);
      const { users, fresh, ...request } = options;
      const how = { request, isFresh: fresh === true, withUsers: users === true };
      const report = await locked(options.dir, () => bringUp(options.dir, how));
      const { shape, started, madeUsers, slurmConf } = report;
      const lines = [
        `${shape.name} is up: ${describeShape(shape)}`,
        started.length === 0 ? "all of it ran already" : `started: ${started.join(" ")}`,
        ...(madeUsers.length === 0
          ? []
          : [`made users: ${madeUsers.join(" ")} (\`down --purge\` removes them)`]),
        `export SLURM_CONF=${slurmConf}`,
      ];
      process.stdout.write(`${lines.join("\n")}\n`);
    });
}

function addDown(command: Command): void {
  common(command)
    .description("end every process of a cluster; with the last one, the accounting database too")
    .option("--all", "every cluster of the state directory")
    .option("--purge", "remove its files too; with the last one, the directory and the test users")
    .action(async ({ dir, name, all, purge }: Common & { all?: true; purge?: true }) => {
      requirePrerequisites();
      // Somebody may have removed the files by hand: what runs is looked for all the same.
      makeStateDirectory(dir);
      const reports = await locked(dir, async () => {
        const kept = keptClusters(dir);
        const names = all && kept.length > 0 ? kept : [clusterName(name)];
        const done: DownReport[] = [];
        for (const it of names) done.push(await takeDown(dir, it, purge === true));
        return done;
      });
      process.stdout.write(reports.map(describeDown).join(""));
    });
}

function addStatus(command: Command): void {
  common(command, false)
    .description("say what runs: daemons, nodes, and the SLURM_CONF to use; exit code 1 unless all is up")
    .addOption(new Option("-o, --output <form>", "text or json").choices(["text", "json"]).default("text"))
    .action(({ dir, name, output }: { dir: string; name?: string; output: string }) => {
      const status = lookAt(dir, name);
      process.stdout.write(
        output === "json" ? `${JSON.stringify(status, null, 2)}\n` : describeStatus(status),
      );
      const isUp = status.clusters.length > 0 && status.clusters.every(({ state }) => state === "up");
      process.exitCode = isUp ? exitCodes.done : exitCodes.failed;
    });
}

function addEnv(command: Command): void {
  common(command)
    .description('print what makes Slurm\'s commands speak to a cluster: eval "$(… env --name A)"')
    .action(({ dir, name }: Common) => {
      if (readKeptCluster(dir, clusterName(name)) === undefined) throw noSuchCluster(dir, name);
      process.stdout.write(`export SLURM_CONF=${clusterLayout(dir, name).slurmConf}\n`);
    });
}

function common(command: Command, hasName = true): Command {
  const name = new Option("--name <name>", "the cluster's name");
  const dir = new Option("--dir <directory>", "the state directory").default(usualDirectory());
  return command
    .addOption(hasName ? name.default("A") : name)
    .addOption(dir.argParser((text) => resolve(text)));
}

function usualDirectory(): string {
  const state = process.env.XDG_STATE_HOME;
  return state ? join(state, "stint-clusters") : `/tmp/stint-clusters-${process.getuid?.() ?? "nobody"}`;
}

function locked<Value>(dir: string, task: () => Promise<Value>): Promise<Value> {
  return withLock(sharedLayout(dir).lock, task);
}

function describeDown({ name, ended, removedUsers }: DownReport): string {
  const users = removedUsers.length === 0 ? "" : `removed users: ${removedUsers.join(" ")}\n`;
  return `${name} is down (${ended} processes ended)\n${users}`;
}

function noSuchCluster(dir: string, name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noSuchCluster",
    what: `there is no cluster ${name}`,
    why: `none of that name is in ${dir}`,
    remedy: `Bring it up: \`scripts/clusters/slurm up --name ${name}\`.`,
  });
}
