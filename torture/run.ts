/**
 * `npm run torture -- --kills N --seed S [--slurm-conf FILE]`: kills a broker and what keeps its jobs again
 * and again, while jobs are submitted, cancelled and run and their machine fails them, and compares its books
 * with what the jobs wrote themselves.
 *
 * Which fault comes when is drawn from the seed; what the machine makes of it is not in its hand, so that two
 * runs with one seed are alike and not the same. Ends with 1 where the books are wrong, and leaves the state
 * directory then.
 */
import { type ExecFileException, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createClient } from "../src/api/client/index.ts";
import { createRandom, drawFraction, type Random } from "../src/base/index.ts";
import { type AcceptedJob, drawBatch } from "./batches.ts";
import { type BrokerProcess, startBroker } from "./broker-process.ts";
import { type BookedJob, compareBooks, readLedger } from "./compare-books.ts";
import { suffer } from "./misfortunes.ts";
import { settledBooks } from "./settle.ts";
import { tortureStreams } from "./streams/run.ts";
import { count, createWorld, killsIn, removeWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    streams: { type: "string" },
    kind: { type: "string" },
    "slurm-conf": { type: "string" },
  },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!(Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(seed))) {
  throw new Error("--kills is a whole number above zero, --seed a whole number");
}

if (values.streams !== undefined) {
  const times = Number(values.streams);
  if (!(Number.isSafeInteger(times) && times > 0)) throw new Error("--streams is a whole number above zero");
  process.exit(await tortureStreams({ times, seed, kind: values.kind }));
}

const stintFile = resolve(import.meta.dirname, "../bin/stint.js");
const begunMs = performance.now();
const world = createWorld(values["slurm-conf"]);
if (world.disk === undefined) process.stdout.write("no disk is filled: only root can mount a small one\n");
const accepted = await livesAndDeaths(createRandom(seed));
world.disk?.empty();
const last = startBroker(world);
await last.ready;
const client = createClient({ socketPath: world.socketPath });
const booked = await settledBooks(client, { accepted, harmed: world.harmed });
client.close();
await end(last, () => last.stop());
const ledger = readLedger(readFileSync(world.ledger, "utf8"));
const wrong = [...world.wrong, ...compareBooks(booked, ledger), ...(await doctorsWords())];
report(booked, wrong);

/** Runs all lives; returns the accepted jobs by number. */
async function livesAndDeaths(chance: Random): Promise<ReadonlyMap<number, AcceptedJob>> {
  const accepted = new Map<number, AcceptedJob>();
  for (let number = 0; killsIn(world) < kills; ) {
    const life = startBroker(world);
    if (drawFraction(chance) < 0.9) await life.ready;
    // What a broker that dies does not confirm is asked of the next one under the same key.
    const asked = createClient({ socketPath: world.socketPath });
    const begin = number;
    const batch = drawBatch(world, chance, begin);
    number += batch.size;
    const key = `torture-${seed}-${begin}`;
    const first = batch.submit(asked, key).catch(() => undefined);
    const known = [...accepted.values()].map(({ id }) => id);
    await suffer({ world, chance, life, client: asked, known });
    await end(life, life.kill);
    count(world, "brokers killed");
    const next = startBroker(world);
    await next.ready;
    const given = (await first) ?? (await batch.submit(asked, key));
    for (const [at, one] of given.entries()) accepted.set(begin + at, one);
    asked.close();
    await end(next, next.kill);
    count(world, "brokers killed");
    world.disk?.empty();
  }
  return accepted;
}

/** Ends a broker, and records if it had already ended. */
async function end(life: BrokerProcess, how: () => Promise<void>): Promise<void> {
  world.wrong.push(...life.unasked);
  await how();
}

/** Problems of the log that `stint doctor` finds; empty if there are none. */
async function doctorsWords(): Promise<readonly string[]> {
  const env = { ...process.env, STINT_STATE_DIR: world.stateDirectory, STINT_CONFIG: world.config };
  try {
    await promisify(execFile)(process.execPath, [stintFile, "doctor"], { env });
    return [];
  } catch (error) {
    return [`stint doctor ${howItEnded(error)}`];
  }
}

/** Error of a doctor that ended by a signal or printed nothing. */
function howItEnded(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, signal, stdout = "", stderr = "" } = error as ExecFileException;
  const how = signal === null || signal === undefined ? `code ${code}` : `signal ${signal}`;
  return `ends with ${how}: ${stdout}${stderr}`;
}

function report(jobs: readonly BookedJob[], faults: readonly string[]): void {
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(0);
  const of = (state: string): number => jobs.filter((job) => job.state === state).length;
  const done = [...world.tally].map(([what, times]) => `${times} ${what}`).sort();
  process.stdout.write(
    `seed ${seed}, ${seconds} s: ${done.join(", ")}\n` +
      `${jobs.length} jobs: ${of("DONE")} DONE, ${of("ABORTED")} ABORTED, ${of("CANCELLED")} CANCELLED\n`,
  );
  for (const fault of faults) process.stdout.write(`WRONG: ${fault}\n`);
  removeWorld(world, faults.length > 0);
  if (faults.length === 0) return;
  const kept = resolve(world.stateDirectory, "..");
  process.stdout.write(`the broker's records are wrong; its state directory is kept in ${kept}\n`);
  process.exitCode = 1;
}
