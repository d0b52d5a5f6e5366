/**
 * `npm run torture -- --kills N --seed S`: kills a broker and what keeps its jobs again and again, while jobs
 * are submitted, cancelled and run, and compares its books with what the jobs wrote themselves.
 *
 * Which fault comes when is drawn from the seed; what the machine makes of it is not in its hand, so that two
 * runs with one seed are alike and not the same. Ends with 1 where the books are wrong, and leaves the state
 * directory then.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { createRandom, drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import { type BrokerProcess, startBroker, wrappersOf } from "./broker-process.ts";
import { type BookedJob, compareBooks, readLedger } from "./compare-books.ts";
import { HOSTILE, sendHostile } from "./hostile-clients.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!(Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(seed))) {
  throw new Error("--kills is a whole number above zero, --seed a whole number");
}

const SETTLE_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 500;
const LONGEST_LIFE_MS = 1500;
const LONGEST_STOP_MS = 200;
const stintFile = resolve(import.meta.dirname, "../bin/stint.js");
const sites = `sites:
  - { name: here, type: managed, procs: 8, memory: 1G, wallTime: 1m }
  - { name: there, type: simulated, procs: 8, jobs: run, wallTime: 1m }
`;

const folder = mkdtempSync(join(tmpdir(), "stint-torture-"));
const stateDirectory = join(folder, "state");
const config = join(folder, "stint.yaml");
const ledger = join(folder, "ledger");
mkdirSync(stateDirectory, { mode: 0o700 });
writeFileSync(config, sites);
writeFileSync(ledger, "");

const begunMs = performance.now();
const tally = { brokers: 0, wrappers: 0, stops: 0, hostile: 0, cancelled: 0 };
const random = createRandom(seed);
const accepted = await suffer(random);
const broker = startBroker(stateDirectory, config);
await broker.ready;
const client = createClient({ socketPath: join(stateDirectory, "stint.sock") });
await settled(client, accepted);
const booked = await Promise.all([...accepted].map(([number, id]) => bookedJob(client, number, id)));
client.close();
await broker.stop();
const doctor = await doctorsWords();
const wrong = [...compareBooks(booked, readLedger(readFileSync(ledger, "utf8"))), ...doctor];
report(booked, wrong);

/** Lives and deaths; the accepted jobs, their ids by number. */
async function suffer(chance: Random): Promise<ReadonlyMap<number, string>> {
  const ids = new Map<number, string>();
  for (let number = 0; tally.brokers + tally.wrappers < kills; ) {
    const life = startBroker(stateDirectory, config);
    const socketPath = join(stateDirectory, "stint.sock");
    if (drawFraction(chance) < 0.9) await life.ready;
    // What a broker that dies does not confirm is asked of the next one under the same key.
    const asked = createClient({ socketPath });
    const batch = Array.from({ length: drawInteger(chance, 1, 6) }, () => number++);
    const jobs = describe(batch, chance);
    const key = { idempotencyKey: `torture-${seed}-${batch[0]}` };
    const first = asked.submit(jobs, key).catch(() => undefined);
    await misfortune(life, chance, { socketPath, ids, client: asked });
    await life.kill();
    tally.brokers++;
    const next = startBroker(stateDirectory, config);
    await next.ready;
    const given = (await first) ?? (await asked.submit(jobs, key));
    for (const [at, one] of batch.entries()) ids.set(one, given[at] ?? "");
    asked.close();
    await next.kill();
    tally.brokers++;
  }
  return ids;
}

interface Around {
  readonly socketPath: string;
  readonly ids: ReadonlyMap<number, string>;
  readonly client: StintClient;
}

/** What happens to a broker, its jobs' keepers and its clients in one life. */
async function misfortune(life: BrokerProcess, chance: Random, around: Around): Promise<void> {
  await delay(drawInteger(chance, 0, LONGEST_LIFE_MS));
  if (drawFraction(chance) < 0.3) {
    const kinds = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
    sendHostile(around.socketPath, kinds[drawInteger(chance, 0, kinds.length - 1)] ?? "garbage");
    tally.hostile++;
  }
  if (drawFraction(chance) < 0.2) {
    life.signal("SIGSTOP");
    await delay(drawInteger(chance, 0, LONGEST_STOP_MS));
    life.signal("SIGCONT");
    tally.stops++;
  }
  const known = [...around.ids.values()];
  if (drawFraction(chance) < 0.2 && known.length > 0) {
    // A broker that dies may or may not have heard of it; both are right.
    around.client.act(known[drawInteger(chance, 0, known.length - 1)] ?? "", "cancel").catch(() => undefined);
    tally.cancelled++;
  }
  const wrappers = wrappersOf(stateDirectory);
  if (drawFraction(chance) < 0.3 && wrappers.length > 0) {
    const pid = wrappers[drawInteger(chance, 0, wrappers.length - 1)];
    if (pid !== undefined) kill(pid);
  }
}

/** It may have ended by itself a moment ago. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
    tally.wrappers++;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Jobs that write into the ledger when they begin, and when they end up to two seconds later. */
function describe(numbers: readonly number[], chance: Random) {
  return numbers.map((number) => ({
    executable: "/bin/sh",
    arguments: ["-c", 'echo "start $1" >> "$2"; sleep "$3"; echo "end $1" >> "$2"', "sh", String(number)]
      .concat(ledger)
      .concat(String(drawInteger(chance, 0, 20) / 10)),
    cpuNumber: drawInteger(chance, 1, 4),
    site: drawFraction(chance) < 0.7 ? "here" : "there",
  }));
}

/** Waits until every accepted job is over. */
async function settled(to: StintClient, ids: ReadonlyMap<number, string>): Promise<void> {
  const endMs = performance.now() + SETTLE_LIMIT_MS;
  const open = new Set(ids.values());
  while (open.size > 0 && performance.now() < endMs) {
    for (const id of open) {
      const state = (await to.job(id).catch(() => undefined))?.state;
      if (state === undefined || ["DONE", "ABORTED", "CANCELLED"].includes(state)) open.delete(id);
    }
    if (open.size > 0) await delay(LOOK_EVERY_MS);
  }
}

async function bookedJob(to: StintClient, number: number, id: string): Promise<BookedJob> {
  const job = await to.job(id).catch(() => undefined);
  return { number, id, state: job?.state ?? null, result: job?.result ?? null };
}

/** What `stint doctor` finds of the log afterwards; nothing where it is whole. */
async function doctorsWords(): Promise<readonly string[]> {
  const env = { ...process.env, STINT_STATE_DIR: stateDirectory, STINT_CONFIG: config };
  try {
    await promisify(execFile)(process.execPath, [stintFile, "doctor"], { env });
    return [];
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    return [`stint doctor finds something: ${said}`];
  }
}

function report(jobs: readonly BookedJob[], faults: readonly string[]): void {
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(0);
  const of = (state: string): number => jobs.filter((job) => job.state === state).length;
  process.stdout.write(
    `seed ${seed}: killed ${tally.brokers} brokers and ${tally.wrappers} wrappers, stopped ${tally.stops}; ` +
      `${tally.hostile} hostile clients, ${tally.cancelled} cancellations; ${seconds} s\n` +
      `${jobs.length} jobs: ${of("DONE")} DONE, ${of("ABORTED")} ABORTED, ${of("CANCELLED")} CANCELLED\n`,
  );
  for (const fault of faults) process.stdout.write(`WRONG: ${fault}\n`);
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else {
    process.stdout.write(`the books are wrong; everything is in ${folder}\n`);
    process.exitCode = 1;
  }
}
