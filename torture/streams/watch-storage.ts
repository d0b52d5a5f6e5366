/**
 * Looks again and again at what a stream stores, and tells where it is above its quota.
 *
 * A quota that is lowered below what is occupied takes time to be met: until the wrapper has confirmed it and
 * the application has let go of what it had, the earlier one bounds. Once met, a quota is kept to the byte,
 * also by a wrapper that is started again.
 */
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Rate of orders that limit nothing. */
const UNLIMITED = 1e9;
const EVERY_MS = 10;

/** A watch over the storage of one stream. */
export interface StorageWatch {
  /** Orders another quota. */
  readonly order: (quotaBytes: number) => void;
  readonly stop: () => void;
}

/** Begins to watch. @param wrong takes sentences about what is above the quota */
export function watchStorage(folder: string, firstBytes: number, wrong: string[]): StorageWatch {
  let quota = firstBytes;
  let bound = firstBytes;
  let serial = 0;
  const look = (): void => {
    const occupied = occupiedIn(folder);
    if (bound > quota && occupied <= quota && confirmed(folder) >= serial) bound = quota;
    if (occupied > bound) wrong.push(`${occupied} bytes are stored; the quota is ${bound} bytes`);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    order: (quotaBytes) => {
      const path = join(folder, "stream/control.json");
      try {
        const orders = { serial: serial + 1, bytesPerSec: UNLIMITED, quotaBytes };
        writeFileSync(`${path}.ordered`, JSON.stringify(orders));
        renameSync(`${path}.ordered`, path);
        serial++;
        quota = quotaBytes;
        bound = Math.max(bound, quota);
      } catch {
        // The disk is full, or not there yet; the earlier quota holds.
      }
    },
    stop: () => clearInterval(timer),
  };
}

function occupiedIn(folder: string): number {
  let occupied = 0;
  for (const part of ["blocks", "set-aside"]) {
    const directory = join(folder, "stream", part);
    for (const name of namesIn(directory))
      occupied += statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return occupied;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Serial number of the orders that the wrapper has taken. */
function confirmed(folder: string): number {
  try {
    return JSON.parse(readFileSync(join(folder, "stream/report.json"), "utf8")).control ?? 0;
  } catch {
    return 0;
  }
}
