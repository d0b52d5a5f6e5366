/**
 * One stream among misfortunes. In the end every block was handed over at least once and in order, with its
 * content, and the storage was never above its quota.
 *
 * What happens and when is drawn from the seed. The wrapper is the compiled program, the application
 * `test/stream-application.mjs`, which writes what it took into a ledger.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, drawFraction, drawInteger, type Random } from "../../src/base/index.ts";
import { sourceData, startSource } from "../../test/stream-source.ts";
import { mountDisk } from "../small-disk.ts";
import { compareLedger } from "./compare-ledger.ts";
import {
  BLOCK,
  MISFORTUNES,
  type Misfortune,
  PATIENCE_MS,
  type Scene,
  startWrapper,
  suffer,
} from "./misfortunes.ts";
import { watchStorage } from "./watch-storage.ts";

const application = resolve(import.meta.dirname, "../../test/stream-application.mjs");
const QUOTA = 640_000;
const BYTES = 6_000_000;

/** Misfortunes of one stream. */
interface Fate {
  readonly seed: number;
  readonly times: number;
  /** Kinds that come; any where absent. */
  readonly kinds?: readonly Misfortune[];
}

/** Runs one stream in the folder; returns what is wrong. */
export async function tortureStream(
  folder: string,
  { seed, times, kinds = MISFORTUNES }: Fate,
): Promise<string[]> {
  mkdirSync(join(folder, "stream"), { recursive: true });
  const chance = createRandom(seed);
  const data = sourceData(BYTES - drawInteger(chance, 0, BLOCK), seed);
  const hasRanges = drawFraction(chance) < 0.8;
  const source = await startSource(data, { hasRanges, bytesPerSec: 2_000_000 });
  const disk = mountDisk(join(folder, "stream"));
  writeOrder(folder, source.href, chance);
  const wrong: string[] = [];
  const storage = watchStorage(folder, QUOTA, wrong);
  const scene: Scene = {
    ...{ folder, chance, source, disk, wrong, storage },
    wrapper: startWrapper(folder),
  };
  try {
    for (let done = 0; done < times; done++) {
      await sleep(drawInteger(chance, 20, 400));
      await suffer(scene, kinds[drawInteger(chance, 0, kinds.length - 1)]);
    }
    disk?.empty();
    Object.assign(source.behaviour, { bytesPerSec: 0, cuts: [] });
    await comeToEnd(scene);
    wrong.push(...compareLedger({ ledger: join(folder, "ledger"), directory: join(folder, "stream") }, data));
  } finally {
    storage.stop();
    scene.wrapper.kill("SIGKILL");
    await source.stop();
    disk?.remove();
  }
  return wrong;
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

async function comeToEnd(scene: Scene): Promise<void> {
  // What was set aside is kept, and takes its part of the quota.
  scene.storage.order(QUOTA * 2);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { wrapper } = scene;
    let words = "";
    wrapper.stderr?.on("data", (chunk) => {
      words += String(chunk);
    });
    while (wrapper.exitCode === null && wrapper.signalCode === null && Date.now() < until) await sleep(50);
    if (wrapper.exitCode === 0) return;
    if (Date.now() >= until) {
      const report = readFileSync(join(scene.folder, "stream/report.json"), "utf8");
      scene.wrong.push(`the stream has not ended: ${report}`);
      return;
    }
    if (wrapper.exitCode !== null) {
      scene.wrong.push(`the wrapper ended with ${wrapper.exitCode}: ${words}`);
      return;
    }
    scene.wrapper = startWrapper(scene.folder);
  }
}
