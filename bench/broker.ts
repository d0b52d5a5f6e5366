/**
 * A live broker: time from acceptance to the running job on an idle site, a bulk submission, and a start
 * with a long log.
 *
 * `npx tsx bench/broker.ts`. The start is of the whole program until it is ready, with the records of
 * 100,000 finished jobs in the log; beside a bare start of Node in the same run.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient } from "../src/api/client/index.ts";
import { apply, createProjection } from "../src/engine/index.ts";
import { JOB_DEFAULTS, type StintEvent } from "../src/model/index.ts";
import { rowOf, VIEWS } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";

const RUNS = 30;
const BULK = 1000;
const PAST_JOBS = 100_000;
const bin = resolve(import.meta.dirname, "../bin/stint.js");
const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));

async function up(state: string): Promise<{ readonly broker: ChildProcess; readonly readyMs: number }> {
  const beganAt = performance.now();
  const env = { ...process.env, STINT_STATE_DIR: state, STINT_CONFIG: "", XDG_CONFIG_HOME: state };
  const broker = spawn(process.execPath, [bin, "up", "--no-tcp", "--this-machine"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  for (;;) {
    const [chunk] = (await once(broker.stderr ?? broker, "data")) as [Buffer];
    said += chunk.toString();
    if (said.includes("ready")) return { broker, readyMs: performance.now() - beganAt };
  }
}

async function down(broker: ChildProcess): Promise<void> {
  const gone = once(broker, "exit");
  broker.kill("SIGTERM");
  await gone;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

function tell(what: string, ms: number, budgetMs: number): void {
  const verdict = ms <= budgetMs ? "within" : "OVER";
  console.log(`${what.padEnd(56)} ${ms.toFixed(0).padStart(6)} ms  ${verdict} ${budgetMs} ms`);
  if (ms > budgetMs) process.exitCode = 1;
}

async function idleSite(state: string): Promise<void> {
  const { broker } = await up(state);
  const client = createClient({ socketPath: join(state, "stint.sock") });
  const delays: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const [id] = await client.submit([{ executable: "true" }]);
    const { submittedAt, startedAt } = await client.watch(id, () => undefined);
    delays.push(Date.parse(startedAt ?? "") - Date.parse(submittedAt));
  }
  tell("accepted → its process runs, idle site, median", median(delays), 150);
  const [blocker] = await client.submit([{ executable: "sleep", arguments: ["600"], procs: 2 }]);
  const beganAt = performance.now();
  const ids = await client.submit(Array.from({ length: BULK }, () => ({ executable: "true", procs: 2 })));
  tell(`${BULK} jobs in one request, durable`, performance.now() - beganAt, 1000);
  for (const id of [...ids, blocker]) await client.act(id, "cancel");
  client.close();
  await down(broker);
}

/** Writes a log with many finished jobs. */
async function writePast(state: string): Promise<void> {
  const logbook = await openSqliteLogbook({ directory: join(state, "log"), views: VIEWS });
  const projection = createProjection();
  const atMs = Date.now() - 1_000_000;
  const description = { ...JOB_DEFAULTS, executable: "true" };
  for (let job = 0; job < PAST_JOBS; job += 500) {
    const events: StintEvent[] = [];
    for (let i = job; i < job + 500; i++) {
      const id = `past${i}`;
      events.push({ kind: "jobAccepted", job: id, description, consumer: "vo/user", owner: "u", atMs });
      events.push({ kind: "jobCancelled", job: id, atMs });
    }
    const changes = events.flatMap((event) => apply(projection, event)).map(rowOf);
    const logged = events.map(({ kind, atMs: at, ...body }) => ({
      kind,
      version: 1,
      atMs: at,
      body: JSON.parse(JSON.stringify(body)),
    }));
    await logbook.commit({ events: logged, changes: changes.filter((_, i) => i % 2 === 1) });
  }
  await logbook.close();
}

try {
  await idleSite(join(folder, "idle"));
  const long = join(folder, "long");
  await writePast(long);
  const starts: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < 5; run++) {
    const { broker, readyMs } = await up(long);
    starts.push(readyMs);
    await down(broker);
    const beganAt = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    bare.push(performance.now() - beganAt);
  }
  const startMs = median(starts);
  tell(`stint up → ready, ${PAST_JOBS} finished jobs in the log`, startMs, 1000);
  console.log(`${(startMs / median(bare)).toFixed(1)} × node -e 0 (${median(bare).toFixed(0)} ms)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
