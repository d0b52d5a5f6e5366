/**
 * Brokers are killed while three streams run, wait and end: no block is lost, nothing takes more than the
 * link has, and each stream comes to its end.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type StintClient } from "../../src/api/client/index.ts";
import { createRandom, drawFraction, drawInteger, type Random } from "../../src/base/index.ts";
import { type StreamSource, sourceData, startSource } from "../../test/stream-source.ts";
import { type BrokerPlaces, type BrokerProcess, startBroker } from "../broker-process.ts";
import { compareLedger } from "./compare-ledger.ts";
import { BLOCK, PATIENCE_MS } from "./misfortunes.ts";

const application = resolve(import.meta.dirname, "../../test/stream-application.mjs");
const INBOUND = 1_000_000;
const BYTES_A_KILL = 150_000;
const NAMES = ["one", "two", "three"] as const;

/** Where a broker and its streams live. */
interface Places extends BrokerPlaces {
  readonly folder: string;
  readonly source: StreamSource;
}

/** Kills so many brokers; returns what is wrong in the end. */
export async function killBrokers(folder: string, seed: number, kills: number): Promise<readonly string[]> {
  const chance = createRandom(seed);
  const data = sourceData(kills * BYTES_A_KILL + BLOCK, seed);
  const source = await startSource(data);
  const places = placesIn(folder, source);
  const ids = new Map<string, string>();
  const wrong: string[] = [];
  try {
    for (let killed = 0; killed < kills; killed++) {
      const life = startBroker(places);
      await liveAndDie(life, { places, chance, ids });
      wrong.push(...life.unasked);
    }
    const last = startBroker(places);
    await last.ready;
    wrong.push(...(await untilOver(places, ids)));
    for (const [name, id] of ids) {
      const found = compareLedger(
        { ledger: ledgerOf(folder, name), directory: join(folder, "pool", id) },
        data,
      );
      wrong.push(...found.map((it) => `${name}: ${it}`));
    }
    wrong.push(...last.unasked);
    await last.stop();
    return wrong;
  } finally {
    await source.stop();
  }
}

/** One life of a broker: at most one stream is submitted, then it is killed. */
async function liveAndDie(
  life: BrokerProcess,
  { places, chance, ids }: { places: Places; chance: Random; ids: Map<string, string> },
): Promise<void> {
  if (drawFraction(chance) < 0.1) {
    await sleep(drawInteger(chance, 0, 500));
    return life.kill();
  }
  await life.ready;
  const next = NAMES.find((name) => !ids.has(name));
  if (next !== undefined) ids.set(next, await withClient(places, (client) => submit(client, places, next)));
  await sleep(drawInteger(chance, 0, 2500));
  return life.kill();
}

async function submit(client: StintClient, { folder, source }: Places, name: string): Promise<string> {
  const stream = {
    ...{ name, weight: 1, weightStep: 1, weightPeriodSec: 600, procs: 1, minBytesPerSec: 100_000 },
    ...{ minBytes: 10 * BLOCK, blockBytes: BLOCK, connections: 2, ahead: 100 },
    sources: [{ href: [source.href] }],
    ...{ delivery: "lines" as const, command: [process.execPath, application, "lines"], restarts: 3 },
    environment: { STINT_TEST_LEDGER: ledgerOf(folder, name) },
  };
  return (await client.call("submitStream", { body: { site: "local", stream } })).id;
}

function placesIn(folder: string, source: StreamSource): Places {
  const stateDirectory = join(folder, "state");
  const [config, clock, pool] = ["stint.yaml", "clock", "pool"].map((name) => join(folder, name));
  for (const made of [stateDirectory, pool]) mkdirSync(made, { recursive: true, mode: 0o700 });
  // Two of the three fit at once.
  const streams = { inbound: `${INBOUND}B/s`, storage: "100MB", directory: pool };
  writeFileSync(config, JSON.stringify({ sites: [{ name: "local", type: "managed", procs: 2, streams }] }));
  writeFileSync(clock, "0");
  return { folder, source, stateDirectory, config, clock };
}

const ledgerOf = (folder: string, name: string): string => join(folder, `${name}.ledger`);

async function withClient<Result>(
  { stateDirectory }: Places,
  run: (client: StintClient) => Promise<Result>,
): Promise<Result> {
  const client = createClient({ socketPath: join(stateDirectory, "stint.sock") });
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

/** Waits while blocks still come; returns what has not ended well. */
function untilOver(places: Places, ids: ReadonlyMap<string, string>): Promise<readonly string[]> {
  return withClient(places, async (client) => {
    let stored = "";
    for (let since = Date.now(); Date.now() - since < PATIENCE_MS; await sleep(500)) {
      const { items } = await client.call("listStreams");
      if (items.every(({ endedAt }) => endedAt !== null)) break;
      const now = NAMES.map((name) => lengthOf(ledgerOf(places.folder, name))).join();
      if (now !== stored) since = Date.now();
      stored = now;
    }
    const jobs = await Promise.all(
      [...ids].map(async ([name, id]) => {
        const { state } = await client.call("getJob", { params: { id } });
        return { name, state };
      }),
    );
    return jobs.filter(({ state }) => state !== "DONE").map(({ name, state }) => `${name} is ${state}`);
  });
}

function lengthOf(path: string): number {
  return existsSync(path) ? readFileSync(path).length : 0;
}
