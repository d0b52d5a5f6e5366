/**
 * The durable position of a stream: the first block that is not acknowledged, and what is known of the data.
 *
 * Written whole beside its name, forced to the disk and renamed, its folder forced too: after a loss of power
 * it is the old one or the new one. Acknowledgements that come while it is written share the next writing.
 */
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { DigestState } from "./digest.ts";
import { isFullDisk } from "./full-disk.ts";
import type { SourceFacts } from "./source-reader.ts";

/** A block that the application could not process. */
export interface SetAside {
  readonly seq: number;
  readonly source: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Place of a block in the data. */
export interface BlockPlace {
  readonly seq: number;
  /** Index of the source. */
  readonly source: number;
  readonly offset: number;
}

/** Content of the file. */
export interface Position {
  readonly version: 1;
  readonly blockBytes: number;
  /** First block without an acknowledgement. */
  readonly next: BlockPlace;
  readonly ackedBytes: number;
  /** Digest of the acknowledged part of the source of `next`, where that has a checksum. */
  readonly digest: DigestState | null;
  /** Of the sources that were opened and are not behind `next`. */
  readonly sources: readonly (SourceFacts & { readonly source: number })[];
  readonly setAside: readonly SetAside[];
  /** Bytes in a sink with the mode append that come from acknowledged blocks. */
  readonly appendedBytes?: number;
  readonly isDone: boolean;
}

const NAME = "position.json";
const RETRY_MS = 500;

/** Position of a stream of which nothing is acknowledged. */
export function firstPosition(blockBytes: number): Position {
  return {
    version: 1,
    blockBytes,
    next: { seq: 0, source: 0, offset: 0 },
    ...{ ackedBytes: 0, digest: null, sources: [], setAside: [], isDone: false },
  };
}

/** Stored position; undefined where none was stored. @throws Fault where it is damaged */
export async function readPosition(directory: string): Promise<Position | undefined> {
  const path = join(directory, NAME);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (isPosition(value)) return value;
  throw new Fault({
    kind: "failed",
    code: "positionDamaged",
    what: `the position of the stream in ${path} cannot be read`,
    why: "its content was not written by a wrapper",
    remedy: "restore it from a backup, or delete it to process the stream from its beginning",
  });
}

/** Writes positions, one at a time; a newer one replaces one that still waits. */
export function createPositionWriter(directory: string): (position: Position) => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: { readonly position: Position; readonly written: Promise<void> } | undefined;
  let latest: Position | undefined;
  const write = (position: Position): Promise<void> => {
    latest = position;
    if (waiting !== undefined) return waiting.written;
    if (running === undefined) {
      running = writeDurably(directory, position).finally(() => {
        running = undefined;
      });
      return running;
    }
    const written = running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return write(latest ?? position);
      });
    waiting = { position, written };
    return written;
  };
  return write;
}

/**
 * Writes a position, then removes the blocks that it says are done. On a full disk these go first, because
 * the position needs their room; a crash in between makes the application get them again.
 */
export async function storePosition(write: () => Promise<void>, remove: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await write();
      return await remove();
    } catch (error) {
      if (!isFullDisk(error)) throw error;
      await remove();
      await sleep(RETRY_MS);
    }
  }
}

async function writeDurably(directory: string, position: Position): Promise<void> {
  const path = join(directory, NAME);
  const beside = `${path}.new`;
  try {
    const file = await open(beside, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify(position));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    await forceFolder(dirname(path));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function forceFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== "object" || value === null) return false;
  const { version, next, sources, setAside, ackedBytes } = value as Partial<Position>;
  const isPlace = [next?.seq, next?.source, next?.offset, ackedBytes].every(Number.isSafeInteger);
  return version === 1 && isPlace && Array.isArray(sources) && Array.isArray(setAside);
}
