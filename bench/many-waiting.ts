/**
 * A live broker with very many waiting jobs: how fast they are placed, what questions cost and whom they
 * keep waiting.
 *
 * `npx tsx bench/many-waiting.ts [--jobs N] [--in-parts] [--discipline fcfs|easy|conservative]
 * [--ask why,slots,quote]`; with `--in-parts` the jobs are those of sweeps and DAGs, 500 in each.
 * The broker is a process of its own at a managed site whose processors are all in use; the jobs are
 * submitted in bulk through the API. While one question after the other is asked, somebody else asks for
 * `/healthz` every 5 ms: what that waits is the delay of everybody. Beside each figure stands one of the same
 * run: of the first tenth of the jobs, of a look at one job, or of the broker before it had any job. Needs a
 * built dist/.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { createRandom, drawFraction } from "../src/base/index.ts";

const { values: options } = parseArgs({
  options: {
    jobs: { type: "string", default: "20000" },
    "in-parts": { type: "boolean", default: false },
    discipline: { type: "string", default: "easy" },
    ask: { type: "string", default: "why,slots,quote" },
  },
});
const JOBS = Number(options.jobs);
const asked: ReadonlySet<string> = new Set(options.ask.split(","));
const PROCS = 64;
const AT_ONCE = 1000;
const IDLE_MS = 10_000;
const ASKED_EVERY_MS = 5;
/** Length of a tick in /proc, in ms. */
const TICK_MS = 10;
const bin = resolve(import.meta.dirname, "../bin/stint.js");
const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));
const config = join(folder, "stint.yaml");
const random = createRandom(17);
const draw = (most: number): number => 1 + Math.floor(drawFraction(random) * most);

interface Running {
  readonly broker: ChildProcess;
  readonly readyMs: number;
}

async function up(): Promise<Running> {
  const beganAt = performance.now();
  const env = { ...process.env, STINT_STATE_DIR: folder, XDG_CONFIG_HOME: folder };
  const words = [bin, "up", "--no-tcp", "--config", config];
  const profiling = process.env.BENCH_NODE_OPTIONS?.split(" ") ?? [];
  const broker = spawn(process.execPath, [...profiling, ...words], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  for (;;) {
    const [chunk] = (await once(broker.stderr ?? broker, "data")) as [Buffer];
    said += chunk.toString();
    if (said.includes("ready")) break;
  }
  broker.stderr?.resume();
  return { broker, readyMs: performance.now() - beganAt };
}

async function down({ broker }: Running): Promise<void> {
  const gone = once(broker, "exit");
  broker.kill("SIGTERM");
  await gone;
}

function tell(what: string, [figure, unit]: [number, string], budget: number, beside: string): void {
  const digits = figure < 10 ? 1 : 0;
  const verdict = `${figure <= budget ? "within" : "OVER"} ${budget}`;
  const cells = [
    what.padEnd(44),
    `${figure.toFixed(digits).padStart(8)} ${unit.padEnd(4)}`,
    verdict.padEnd(13),
  ];
  console.log(`${cells.join("  ")} ${beside}`);
  if (figure > budget) process.exitCode = 1;
}

function processorMs({ broker }: Running): number {
  const fields = readFileSync(`/proc/${broker.pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function residentKib({ broker }: Running): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${broker.pid}/status`, "utf8"))?.[1]);
}

/** Processor use of an idle broker without requests, in per cent. */
async function idleShare(running: Running): Promise<number> {
  const before = processorMs(running);
  const beganAt = performance.now();
  await setTimeout(IDLE_MS);
  return (100 * (processorMs(running) - before)) / (performance.now() - beganAt);
}

async function waitingAt(client: StintClient): Promise<number> {
  const [site] = await client.sites();
  return site.waiting;
}

/** A job of its own size and limit, so that few share a trial. */
const someJob = () => ({ executable: "true", procs: draw(PROCS / 4), wallTimeSec: 600 + draw(28_000) });

/** Submits a sweep, and a DAG of as many independent nodes. @returns the ids of the jobs of both */
async function submitParts(client: StintClient, each: number): Promise<readonly string[]> {
  const points = { name: "point", from: 1, step: 1, count: each };
  const sweep = { parameters: [points], combine: "product" as const };
  const [array] = await client.submit([{ ...someJob(), sweep }]);
  const nodes = Array.from({ length: each }, (_, at) => ({ name: `n${at}`, description: someJob() }));
  const dag = await client.submitDag({ nodes });
  return [array, dag].flatMap((id) => Array.from({ length: each }, (_, at) => `${id}-${at}`));
}

/** Submits jobs until there are so many, and waits until they are placed. */
async function submitUpTo(client: StintClient, ids: string[], count: number) {
  const beganAt = performance.now();
  while (ids.length < count) {
    const most = Math.min(AT_ONCE, count - ids.length);
    if (options["in-parts"]) ids.push(...(await submitParts(client, Math.ceil(most / 2))));
    else ids.push(...(await client.submit(Array.from({ length: most }, someJob))));
  }
  const submittedMs = performance.now() - beganAt;
  while ((await waitingAt(client)) < count) await setTimeout(100);
  return { submittedMs, placedMs: performance.now() - beganAt };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
const at99 = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(0.99 * values.length))];

async function timed(deed: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await deed();
  return performance.now() - beganAt;
}

/**
 * Response times of `/healthz` during an operation, for clients that ask every 5 ms. One asks at a time:
 * those that would have asked meanwhile are counted with their waiting time.
 */
async function delaysDuring(deed: () => Promise<unknown>): Promise<number[]> {
  const other = createClient({ socketPath: join(folder, "stint.sock") });
  const delays: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const waitedMs = await timed(() => other.health());
      for (let leftMs = waitedMs; leftMs > 0; leftMs -= ASKED_EVERY_MS) delays.push(leftMs);
      await setTimeout(ASKED_EVERY_MS);
    }
  })();
  await deed().finally(() => {
    isOver = true;
  });
  await asking;
  other.close();
  return delays;
}

/** Asks one question three times, and prints its time and its effect on other requests. */
async function question(what: string, budgetMs: number, beside: string, deed: () => Promise<unknown>) {
  const times: number[] = [];
  const delays = await delaysDuring(async () => {
    for (let n = 0; n < 3; n++) times.push(await timed(deed));
  });
  const [first] = times;
  tell(`${what}, the first time`, [first, "ms"], budgetMs, beside);
  tell(`${what}, median of 3`, [median(times), "ms"], budgetMs, "");
  tell("  delay of /healthz meanwhile, p99", [at99(delays), "ms"], 50, `p50 ${median(delays).toFixed(1)} ms`);
}

async function questions(client: StintClient, ids: readonly string[]): Promise<void> {
  const looks: number[] = [];
  for (let n = 0; n < 20; n++) looks.push(await timed(() => client.job(ids[n])));
  const beside = `reading one job ${median(looks).toFixed(1)} ms`;
  const middle = ids[ids.length >> 1];
  const last = ids[ids.length - 1];
  for (const [which, id] of [
    ["first", ids[0]],
    ["middle", middle],
    ["last", last],
  ] as const) {
    if (asked.has("why")) await question(`why, the ${which} job`, 300, beside, () => client.why(id));
  }
  if (asked.has("slots")) await question("slots", 300, beside, () => client.slots("local"));
  const slot = { procs: 8, durationSec: 3600 };
  if (asked.has("quote")) await question("quote", 2000, beside, () => client.quote(slot));
}

async function fill(): Promise<void> {
  const rules = `procs: ${PROCS}, memory: 1TiB, discipline: ${options.discipline}`;
  writeFileSync(config, `sites:\n  - { name: local, type: managed, ${rules} }\n`);
  let running = await up();
  const client = createClient({ socketPath: join(folder, "stint.sock") });
  const emptyReadyMs = running.readyMs;
  const emptyShare = await idleShare(running);
  const emptyKib = residentKib(running);
  await client.submit(
    Array.from({ length: 16 }, (_, n) => ({
      // They end by themselves when the bench has cleared up; cancelled, they would let the others start.
      executable: "sh",
      arguments: ["-c", `while [ -e ${config} ]; do sleep 2; done`],
      procs: PROCS / 16,
      wallTimeSec: 36_000 + 600 * n,
    })),
  );
  try {
    const ids: string[] = [];
    const tenth = await submitUpTo(client, ids, JOBS / 10);
    const rest = await submitUpTo(client, ids, JOBS);
    const allSec = (tenth.placedMs + rest.placedMs) / 1000;
    const beside = `the first tenth of the jobs ${(tenth.placedMs / 1000).toFixed(1)} s`;
    tell(`${JOBS} jobs submitted and placed`, [allSec, "s"], JOBS / 1000, beside);
    const lateSec = (rest.placedMs - rest.submittedMs) / 1000;
    tell("  last job: accepted → placed", [lateSec, "s"], JOBS / 5000, "");
    await setTimeout(2000);
    const idle = `without jobs ${emptyShare.toFixed(1)} %`;
    tell("idle broker, share of a core", [await idleShare(running), "%"], 2, idle);
    await questions(client, ids);
    tell(
      "memory per waiting job",
      [(residentKib(running) - emptyKib) / JOBS, "KiB"],
      3,
      `without jobs ${emptyKib >> 10} MiB`,
    );
    await down(running);
    running = await up();
    const restart = `without jobs ${(emptyReadyMs / 1000).toFixed(1)} s`;
    tell("restart → ready", [running.readyMs / 1000, "s"], 10, restart);
    tell("memory per waiting job after a restart", [(residentKib(running) - emptyKib) / JOBS, "KiB"], 3, "");
    // What a start leaves to do in the background is no broker's that is idle.
    await setTimeout(10_000);
    tell("idle broker after a restart, share of a core", [await idleShare(running), "%"], 2, "");
  } finally {
    client.close();
    await down(running);
  }
}

console.log(`${JOBS} jobs wait for ${PROCS} processors, ${options.discipline}; Node ${process.version}\n`);
try {
  await fill();
} finally {
  // Without it the blockers end; while they do, their wrappers still write.
  rmSync(config, { force: true });
  await setTimeout(5000);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 });
}
