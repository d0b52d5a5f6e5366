/** What befalls a stream whose data stay the same, each at a moment that is drawn. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drawInteger, type Random } from "../../src/base/index.ts";
import type { StreamSource } from "../../test/stream-source.ts";
import type { SmallDisk } from "../small-disk.ts";
import type { StorageWatch } from "./watch-storage.ts";

/** Bytes of a block. */
export const BLOCK = 64_000;
/** Time after which what is waited for will not come. */
export const PATIENCE_MS = 120_000;
const stintFile = resolve(import.meta.dirname, "../../bin/stint.js");

/** Misfortunes, in the order in which they are drawn. */
export const MISFORTUNES = [...(["cut", "slow", "away", "wrapper", "application", "quota", "disk"] as const)];

/** One of the misfortunes. */
export type Misfortune = (typeof MISFORTUNES)[number];

/** A stream that runs, and what can be done to it. */
export interface Scene {
  readonly folder: string;
  readonly chance: Random;
  readonly source: StreamSource;
  /** Undefined without the right to mount. */
  readonly disk: SmallDisk | undefined;
  readonly storage: StorageWatch;
  wrapper: ChildProcess;
  readonly wrong: string[];
}

/** Lets one misfortune befall the stream. */
export async function suffer(scene: Scene, misfortune: Misfortune): Promise<void> {
  const { chance, source, disk, storage } = scene;
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
    case "wrapper":
      await killWrapper(scene);
      break;
    case "application":
      killApplication(scene.folder);
      break;
    case "quota":
      storage.order(BLOCK * drawInteger(chance, 0, 12));
      break;
    case "disk":
      await hasBegun(scene);
      disk?.fill();
      await sleep(drawInteger(chance, 0, 800));
      disk?.empty();
      break;
  }
}

/** Starts the wrapper of the order in a folder. */
export function startWrapper(folder: string): ChildProcess {
  const words = [stintFile, "stream-wrapper", join(folder, "order.json")];
  return spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
}

async function killWrapper(scene: Scene): Promise<void> {
  const { wrapper } = scene;
  const ended = wrapper.exitCode === null ? once(wrapper, "exit") : undefined;
  wrapper.kill("SIGKILL");
  await ended;
  scene.wrapper = startWrapper(scene.folder);
}

/** A wrapper that finds the disk full before it has begun ends with an error, which its site tells. */
async function hasBegun({ folder, wrapper }: Scene): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (ownerOf(folder)?.pid !== wrapper.pid && wrapper.exitCode === null && Date.now() < until)
    await sleep(20);
}

/** Kills the application of a stream, if it has one at this moment. */
export function killApplication(folder: string): void {
  const pid = ownerOf(folder)?.application?.pid;
  if (pid === undefined) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in this moment.
  }
}

interface Owner {
  readonly pid: number;
  readonly application?: { readonly pid: number };
}

function ownerOf(folder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "stream/owner.json"), "utf8"));
  } catch {
    return undefined;
  }
}
