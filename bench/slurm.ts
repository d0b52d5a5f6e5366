/**
 * Stint at a real cluster of Slurm: a long queue read, one job of it explained, many jobs handed over, and
 * an idle watch.
 *
 * `npm run bench:slurm`, as root, where Slurm is installed. A test cluster `Bench` of 8 nodes × 4 processors
 * is brought up (its nodes are played by this machine too, and take their part of it), kept busy, and put
 * down in the end. A word narrows it down: `handover`, `watch`, `queue`. Needs a built dist/.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sandboxesIn, startBroker, systemClock } from "../src/broker/index.ts";
import { blockersOf, explainClusterJob } from "../src/engine/index.ts";
import { JOB_DEFAULTS, SLURM_DEFAULTS, type SlurmSiteSpec } from "../src/model/index.ts";
import { VIEWS } from "../src/runtime/index.ts";
import { commandProcess, openSlurmSite } from "../src/sites/slurm/index.ts";
import { type CommandResult, commandRunner, type RunCommand } from "../src/sites/slurm/run-command.ts";
import { openSqliteLogbook } from "../src/store/index.ts";

const HANDED_OVER = 1000;
const QUEUED = 10_000;
const WATCHED_S = 60;
/** Time for learning from the accounting, in ms, once at a broker's start. */
const LEARNING_MS = 60_000;
/** Ticks per second in /proc (sysconf CLK_TCK). */
const TICKS_PER_S = 100;

const root = resolve(import.meta.dirname, "..");
const script = join(root, "scripts/clusters/slurm");
const only = process.argv[2];
const folder = mkdtempSync("/tmp/stint-bench-slurm-");

function tell(what: string, figure: string, isGood: boolean, wanted: string): void {
  console.log(`${what.padEnd(62)} ${figure.padStart(10)}  ${isGood ? "within" : "OVER"} ${wanted}`);
  if (!isGood) process.exitCode = 1;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

function clusterUp(): string {
  execFileSync(script, ["up", "--name", "Bench", "--kind", "plain", "--nodes", "8"], { stdio: "ignore" });
  const said = execFileSync(script, ["env", "--name", "Bench"], { encoding: "utf8" });
  const conf = /SLURM_CONF=(\S+)/.exec(said)?.[1];
  if (conf === undefined) throw new Error(`no SLURM_CONF in ${said}`);
  return conf;
}

/** Runs one of Slurm's commands, or several in a shell. */
function slurm(conf: string, line: string): string {
  const env = { ...process.env, SLURM_CONF: conf };
  return execFileSync("sh", ["-c", line], { env, encoding: "utf8", cwd: "/", maxBuffer: 1 << 28 });
}

function specOf(slurmConf: string, more: Partial<SlurmSiteSpec>): SlurmSiteSpec {
  const size = { procs: 32, memoryBytes: 32 * 2 ** 30 };
  return { ...SLURM_DEFAULTS, type: "slurm", ...size, slurmConf, ...more };
}

/** Measures from the first submission until every job is in Slurm's queue and known by its id there. */
async function handover(conf: string): Promise<void> {
  const directory = join(folder, "handover");
  mkdirSync(join(directory, "jobs"), { recursive: true });
  const spec = specOf(conf, { readOnly: false, submitDirectory: join(directory, "jobs") });
  const logbook = await openSqliteLogbook({ directory: join(directory, "log"), views: VIEWS });
  let commands = 0;
  const start = commandProcess();
  const broker = await startBroker({
    logbook,
    clock: systemClock,
    sandboxes: sandboxesIn(join(directory, "sandboxes")),
    warn: console.error,
    onBroken: console.error,
    openSite: async (name) => {
      const run = commandRunner({ sshHost: null, slurmConf: conf, socketDirectory: directory }, start);
      const counted: RunCommand = (request) => {
        commands++;
        return run(request);
      };
      const site = await openSlurmSite({ name, spec, directory, clock: systemClock, run: counted });
      return { kind: "foreign", site };
    },
  });
  await broker.brokerApi.ask({ kind: "addSite", site: "bench", spec });
  while (broker.brokerApi.sites()[0].seenAtMs === null) await delay(50);
  await delay(LEARNING_MS);
  const description = { ...JOB_DEFAULTS, executable: "true", wallTimeMs: 60_000 };
  const there = new Set<string>();
  broker.brokerApi.onJobChange(({ id, siteJob }) => {
    if (siteJob !== null) there.add(id);
  });
  commands = 0;
  const beganAt = performance.now();
  for (let at = 0; at < HANDED_OVER; at++) {
    const job = { job: `j${at}`, description, consumer: "vo/user", owner: "u" };
    void broker.brokerApi.ask({ kind: "submit", ...job });
  }
  while (there.size < HANDED_OVER) await delay(20);
  const tookMs = performance.now() - beganAt;
  const each = commands / HANDED_OVER;
  const seen = Number(slurm(conf, "squeue -h -o %j | grep -c stint:").trim());
  if (seen < HANDED_OVER) throw new Error(`only ${seen} of ${HANDED_OVER} are in the queue`);
  await broker.stop();
  await logbook.close();
  const alone = sbatchAlone(conf);
  tell(
    `${HANDED_OVER} jobs through Stint into Slurm`,
    `${(tookMs / 1000).toFixed(1)} s`,
    tookMs < 20_000,
    "20 s",
  );
  const ratio = (tookMs * alone.perSecond) / (1000 * HANDED_OVER);
  console.log(
    `${ratio.toFixed(2)} × sbatch alone, 8 at a time (${alone.perSecond.toFixed(0)}/s); ` +
      `${each.toFixed(2)} commands per job`,
  );
}

/** Measures sbatch alone, from a shell. */
function sbatchAlone(conf: string): { readonly perSecond: number } {
  const count = 300;
  const beganAt = performance.now();
  slurm(conf, `seq ${count} | xargs -P8 -I{} sbatch -Q --hold -J alone -o /dev/null --wrap true`);
  return { perSecond: (count * 1000) / (performance.now() - beganAt) };
}

/** Measures the processor use of an observing broker, its commands included. */
async function watch(conf: string): Promise<void> {
  const state = join(folder, "watch");
  mkdirSync(state, { mode: 0o700 });
  const env = { ...process.env, STINT_STATE_DIR: state, STINT_CONFIG: "", XDG_CONFIG_HOME: state };
  const stint = join(root, "bin/stint.js");
  const broker = spawn(process.execPath, [stint, "up", "--no-tcp"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  broker.once("exit", (code) => {
    if (code !== 0) throw new Error(`the broker ended: ${said}`);
  });
  while (!said.includes("ready")) said += String((await once(broker.stderr, "data"))[0]);
  const words = ["site", "add", "bench", "--type", "slurm", "--slurm-conf", conf];
  execFileSync(process.execPath, [stint, ...words], { env, stdio: "ignore" });
  await delay(LEARNING_MS);
  const before = processorMs(broker.pid ?? 0);
  await delay(WATCHED_S * 1000);
  const tookMs = processorMs(broker.pid ?? 0) - before;
  const gone = once(broker, "exit");
  broker.kill("SIGTERM");
  await gone;
  const percent = tookMs / (WATCHED_S * 10);
  const jobs = slurm(conf, "squeue -h -r -t all | wc -l").trim();
  const what = `an idle broker that polls ${jobs} jobs, share of a core`;
  tell(what, `${percent.toFixed(2)} %`, percent < 1, "1 %");
}

/** Processor time of a process and of its ended children, in ms (proc(5), stat: utime to cstime). */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1000) / TICKS_PER_S;
}

/**
 * Measures reading a long queue, beside Slurm's time to print it, and the explanation of one of its jobs.
 */
async function queue(conf: string): Promise<void> {
  slurm(conf, `seq ${QUEUED} | xargs -P8 -I{} sbatch -Q -n4 -t 30 -J queued -o /dev/null --wrap true`);
  const directory = join(folder, "queue");
  const run = commandRunner({ sshHost: null, slurmConf: conf, socketDirectory: directory });
  const answers = new Map<string, CommandResult>();
  let slurmMs = 0;
  const recorded: RunCommand = async (request) => {
    const beganAt = performance.now();
    const result = await run(request);
    slurmMs += performance.now() - beganAt;
    answers.set(request.words.join(" "), result);
    return result;
  };
  const played: RunCommand = async ({ words }) => answers.get(words.join(" ")) ?? never(words);
  const spec = specOf(conf, {});
  const open = (name: string, by: RunCommand) =>
    openSlurmSite({ name, spec, directory: join(directory, name), clock: systemClock, run: by });
  const snapshot = await (await open("real", recorded)).snapshot();
  const readMs: number[] = [];
  const site = await open("played", played);
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    await site.snapshot();
    const { user, system } = process.cpuUsage(before);
    readMs.push((user + system) / 1000);
  }
  const ownMs = median(readMs);
  tell(
    `reading a snapshot of ${snapshot.jobs.length} jobs, without Slurm's own time`,
    `${ownMs.toFixed(0)} ms`,
    ownMs < 300,
    "300 ms",
  );
  console.log(`${(ownMs / slurmMs).toFixed(2)} × Slurm's own commands (${slurmMs.toFixed(0)} ms)`);
  const waiting = snapshot.jobs.filter(({ state }) => state === "waiting");
  const last = waiting[waiting.length - 1].siteJob;
  const times = [0, 1, 2, 3, 4].map(() => {
    const beganAt = performance.now();
    blockersOf(snapshot, last);
    return performance.now() - beganAt;
  });
  tell("why the last job waits", `${median(times).toFixed(0)} ms`, median(times) < 200, "200 ms");
  const few = {
    ...snapshot,
    jobs: [...snapshot.jobs.filter(({ state }) => state !== "waiting"), ...waiting.slice(0, 300)],
  };
  const beganAt = performance.now();
  explainClusterJob(few, waiting[299].siteJob);
  const playedMs = performance.now() - beganAt;
  const what = "the same with a predicted start, 300 jobs before it";
  tell(what, `${playedMs.toFixed(0)} ms`, playedMs < 200, "200 ms");
}

function never(words: readonly string[]): never {
  throw new Error(`not recorded: ${words.join(" ")}`);
}

const conf = clusterUp();
try {
  // Busy nodes: what is handed over waits, and takes nothing of this machine.
  slurm(conf, "scancel -u root; sbatch -Q --exclusive -N8 -t 60 -o /dev/null --wrap 'sleep 3600'");
  if (only === undefined || only === "handover") await handover(conf);
  if (only === undefined || only === "watch") await watch(conf);
  if (only === undefined || only === "queue") await queue(conf);
} finally {
  slurm(conf, "scancel -u root");
  execFileSync(script, ["down", "--name", "Bench"], { stdio: "ignore" });
  rmSync(folder, { recursive: true, force: true });
}
