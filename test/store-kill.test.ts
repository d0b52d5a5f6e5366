/**
 * Kills a real process that commits under load, at random moments, with SIGKILL, and looks each time
 * whether everything that it had acknowledged is there.
 *
 * Half of the moments count from the start of the process, so that they hit the opening too (the first ones
 * the creation), half from the first acknowledgement. One file throughout: what a kill left is what the next
 * process starts from. Each round checks what is new against the head of the round before; the end checks
 * the whole log and rebuilds all views.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRandom, drawInteger } from "../src/base/index.ts";
import type { Logbook, LoggedEvent, Receipt } from "../src/runtime/index.ts";
import { compareViews, emptyHead, openSqliteLogbook, verifyChain } from "../src/store/index.ts";
import { draws } from "./draws.ts";
import { temporaryFolder } from "./stint.ts";
import { killViews, projectKill } from "./store-kill-views.mjs";

/** More in `npm run test:deep`. */
const KILLS = draws(16).numRuns;
const SEED = 20_261_121;
const folder = temporaryFolder();
const loadFile = join(import.meta.dirname, "store-kill-load.mjs");

interface Acknowledged extends Receipt {
  readonly caller: string;
  readonly count: number;
}

/** What is known for certain so far. */
interface Known {
  readonly head: Receipt;
  /** Each caller's last count in the log. */
  readonly counts: Map<string, number>;
}

it("ST-4 ST-16 loses nothing acknowledged, whenever it is killed", {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  const random = createRandom(SEED);
  const directory = join(folder, "logbook");
  const known: { -readonly [K in keyof Known]: Known[K] } = { head: emptyHead, counts: new Map() };
  let acknowledged = 0;
  for (let round = 0; round < KILLS; round++) {
    const fromStart = round % 2 === 0;
    const delayMs = fromStart ? drawInteger(random, 30, 250) : drawInteger(random, 0, 150);
    const acks = await runAndKill({ directory, round, fromStart, delayMs });
    acknowledged += acks.length;
    const logbook = await openSqliteLogbook({ directory, views: killViews });
    known.head = await checkRound(logbook, known, acks);
    await logbook.close();
  }
  expect(acknowledged).toBeGreaterThan(KILLS);
  const logbook = await openSqliteLogbook({ directory, views: killViews });
  const head = await logbook.head();
  expect(await verifyChain(logbook.events(1), { through: known.head })).toEqual({ kind: "intact", head });
  expect(await compareViews({ logbook, schemas: killViews, project: projectKill })).toEqual([]);
  await logbook.close();
});

async function runAndKill(how: {
  directory: string;
  round: number;
  fromStart: boolean;
  delayMs: number;
}): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [loadFile, how.directory, String(how.round)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const ended = new Promise((resolve) => child.once("close", (_, signal) => resolve(signal)));
  const speaks = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.includes("ack ")) resolve();
    });
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  if (!how.fromStart) await Promise.race([speaks, ended]);
  await sleep(how.delayMs);
  child.kill("SIGKILL");
  expect(await ended, err).toBe("SIGKILL");
  return [...out.matchAll(/^ack (\d+) (\w{64}) (\w+) (\d+)\n/gm)].map(([, seq, hash, caller, count]) => ({
    seq: Number(seq),
    hash,
    caller,
    count: Number(count),
  }));
}

/** Checks what came since `known`, brings its counts up to date, and returns the new head. */
async function checkRound(logbook: Logbook, known: Known, acks: readonly Acknowledged[]): Promise<Receipt> {
  const news: LoggedEvent[] = [];
  for await (const event of logbook.events(known.head.seq + 1)) news.push(event);
  const head = await logbook.head();
  const verdict = await verifyChain(only(news), { after: known.head });
  expect(verdict).toEqual({ kind: "intact", head });
  for (const { seq, hash, caller, count } of acks) {
    const event = news[seq - known.head.seq - 1];
    expect(event).toMatchObject({ seq, hash, kind: "counted", body: { caller, count } });
  }
  for (const { kind, body } of news) {
    if (kind !== "counted") continue;
    const caller = String(body.caller);
    expect(body.count).toBe((known.counts.get(caller) ?? 0) + 1);
    known.counts.set(caller, Number(body.count));
  }
  for (const [caller, count] of known.counts) {
    expect(await logbook.record("callers", caller)).toEqual({ caller, count });
  }
  return head;
}

async function* only<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}
