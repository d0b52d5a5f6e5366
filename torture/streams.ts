/**
 * One stream among misfortunes: connections are cut, the server is slow, away and back, wrapper and
 * application are killed, the disk is full, the quota is lowered. In the end every block was handed over at
 * least once and in order, with its content, and the storage was never above its quota.
 *
 * What happens and when is drawn from the seed. The wrapper is the compiled program, the application
 * `test/stream-application.mjs`, which writes what it took into a ledger.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import { type StreamSource, sourceData, startSource } from "../test/stream-source.ts";
import { mountDisk, type SmallDisk } from "./small-disk.ts";

const stintFile = resolve(import.meta.dirname, "../bin/stint.js");
const application = resolve(import.meta.dirname, "../test/stream-application.mjs");

const BLOCK = 64_000;
const QUOTA = 640_000;
const BYTES = 6_000_000;
const DEADLINE_MS = 90_000;

/** Misfortunes, in the order in which they are drawn. */
const MISFORTUNES = ["cut", "slow", "away", "wrapper", "application", "quota", "disk", "none"] as const;

interface Scene {
  readonly folder: string;
  readonly chance: Random;
  readonly source: StreamSource;
  readonly disk: SmallDisk | undefined;
  wrapper: ChildProcess;
  serial: number;
  /** The quota, and whether occupation has been below it since it was set. */
  quota: { bytes: number; isMet: boolean };
  readonly wrong: string[];
}

/** Runs one stream in the folder; returns what is wrong. */
export async function tortureStream(folder: string, seed: number, misfortunes: number): Promise<string[]> {
  mkdirSync(join(folder, "stream"), { recursive: true });
  const chance = createRandom(seed);
  const data = sourceData(BYTES - drawInteger(chance, 0, BLOCK), seed);
  const hasRanges = drawFraction(chance) < 0.8;
  const source = await startSource(data, { hasRanges, bytesPerSec: 2_000_000 });
  const disk = mountDisk(join(folder, "stream"));
  writeOrder(folder, source.href, chance);
  const scene: Scene = {
    ...{ folder, chance, source, disk, wrong: [], serial: 0 },
    quota: { bytes: QUOTA, isMet: true },
    wrapper: startWrapper(folder),
  };
  const watch = setInterval(() => watchQuota(scene), 10);
  try {
    for (let done = 0; done < misfortunes; done++) {
      await sleep(drawInteger(chance, 20, 400));
      await suffer(scene);
    }
    disk?.empty();
    Object.assign(source.behaviour, { bytesPerSec: 0, cuts: [] });
    await comeToEnd(scene);
    scene.wrong.push(...compareLedger(folder, data));
  } finally {
    clearInterval(watch);
    scene.wrapper.kill("SIGKILL");
    await source.stop();
    disk?.remove();
  }
  return scene.wrong;
}

function writeOrder(folder: string, href: string, chance: Random): void {
  const delivery = drawFraction(chance) < 0.5 ? "lines" : "directory";
  const order = {
    ...{ stream: "tortured", directory: join(folder, "stream"), sources: [{ href }] },
    ...{ blockSize: BLOCK, quota: QUOTA, connections: drawInteger(chance, 1, 3), idle: "2s" },
    ...{ rate: { least: 1e9 }, lease: "none" },
    application: {
      ...{ command: [process.execPath, application, delivery], delivery, restarts: 1000 },
      environment: { STINT_TEST_LEDGER: join(folder, "ledger"), STINT_TEST_MS: "5" },
    },
  };
  writeFileSync(join(folder, "order.json"), JSON.stringify(order));
}

function startWrapper(folder: string): ChildProcess {
  const words = [stintFile, "stream-wrapper", join(folder, "order.json")];
  return spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
}

async function suffer(scene: Scene): Promise<void> {
  const { chance, source, disk, wrapper } = scene;
  const misfortune = MISFORTUNES[drawInteger(chance, 0, MISFORTUNES.length - 1)];
  switch (misfortune) {
    case "cut":
      for (let cut = 0; cut < 4; cut++) source.behaviour.cuts.push(drawInteger(chance, 0, BLOCK));
      break;
    case "slow":
      source.behaviour.bytesPerSec = drawInteger(chance, 50_000, 4_000_000);
      break;
    case "away":
      await source.stop();
      await sleep(drawInteger(chance, 0, 500));
      await source.start();
      break;
    case "wrapper": {
      const ended = wrapper.exitCode === null ? once(wrapper, "exit") : undefined;
      wrapper.kill("SIGKILL");
      await ended;
      scene.wrapper = startWrapper(scene.folder);
      break;
    }
    case "application":
      killApplication(scene.folder);
      break;
    case "quota":
      setQuota(scene, BLOCK * drawInteger(chance, 1, 12));
      break;
    case "disk":
      await hasBegun(scene);
      disk?.fill();
      await sleep(drawInteger(chance, 0, 800));
      disk?.empty();
      break;
    case "none":
      break;
  }
}

/** A wrapper that finds the disk full before it has begun ends with an error, which its site tells. */
async function hasBegun({ folder, wrapper }: Scene): Promise<void> {
  const until = Date.now() + DEADLINE_MS;
  while (wrapperOf(folder) !== wrapper.pid && wrapper.exitCode === null && Date.now() < until)
    await sleep(20);
}

function wrapperOf(folder: string): number | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "stream/owner.json"), "utf8")).pid;
  } catch {
    return undefined;
  }
}

function killApplication(folder: string): void {
  try {
    const owner = JSON.parse(readFileSync(join(folder, "stream/owner.json"), "utf8"));
    process.kill(owner.application.pid, "SIGKILL");
  } catch {
    // There is none at this moment.
  }
}

function setQuota(scene: Scene, bytes: number): void {
  const orders = { serial: ++scene.serial, bytesPerSec: 1e9, quotaBytes: bytes };
  try {
    writeFileSync(join(scene.folder, "stream/control.json"), JSON.stringify(orders));
    scene.quota = { bytes, isMet: false };
  } catch {
    // The disk is full; the earlier quota holds.
  }
}

/** A lower quota may be exceeded by what the application has; once met, it is kept. */
function watchQuota({ folder, quota, wrong }: Scene): void {
  const blocks = join(folder, "stream/blocks");
  if (!existsSync(blocks)) return;
  let occupied = 0;
  for (const name of readdirSync(blocks))
    occupied += statSync(join(blocks, name), { throwIfNoEntry: false })?.size ?? 0;
  if (occupied <= quota.bytes) quota.isMet = true;
  // A wrapper that was killed reads its quota again within its first moments.
  else if (quota.isMet && occupied > Math.max(quota.bytes, QUOTA)) {
    wrong.push(`${occupied} bytes are above the quota of ${quota.bytes}`);
  }
}

async function comeToEnd(scene: Scene): Promise<void> {
  setQuota(scene, QUOTA);
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    const { wrapper } = scene;
    let words = "";
    wrapper.stderr?.on("data", (chunk) => {
      words += String(chunk);
    });
    while (wrapper.exitCode === null && wrapper.signalCode === null && Date.now() < until) await sleep(50);
    if (wrapper.exitCode === 0) return;
    if (Date.now() >= until) {
      scene.wrong.push(
        `the stream has not ended: ${readFileSync(join(scene.folder, "stream/report.json"), "utf8")}`,
      );
      return;
    }
    if (wrapper.exitCode !== null) {
      scene.wrong.push(`the wrapper ended with ${wrapper.exitCode}: ${words}`);
      return;
    }
    scene.wrapper = startWrapper(scene.folder);
  }
}

/** What is wrong with the ledger: a block missing, out of order, or with other content. */
function compareLedger(folder: string, data: Buffer): string[] {
  const path = join(folder, "ledger");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  const aside = new Set(
    readdirSync(join(folder, "stream/set-aside")).map((name) => Number(name.split("-")[0])),
  );
  const wrong: string[] = [];
  let highest = -1;
  const skipAside = (): void => {
    while (aside.has(highest + 1)) highest++;
  };
  for (const line of lines) {
    const { seq, sha1 } = JSON.parse(line) as { readonly seq: number; readonly sha1: string };
    skipAside();
    if (seq > highest + 1) wrong.push(`block ${seq} came after ${highest}`);
    highest = Math.max(highest, seq);
    const content = data.subarray(seq * BLOCK, (seq + 1) * BLOCK);
    if (createHash("sha1").update(content).digest("hex") !== sha1)
      wrong.push(`block ${seq} has other content`);
  }
  skipAside();
  const expected = Math.ceil(data.length / BLOCK);
  if (highest + 1 !== expected) wrong.push(`${highest + 1} of ${expected} blocks came`);
  return wrong;
}
