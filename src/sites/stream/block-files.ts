/**
 * The files of blocks: parts while they are fetched, blocks when they are whole, and those set aside.
 *
 * A full disk is waited for, never reported as a loss: the write is repeated until there is room. A block is
 * on the disk before it has its name, so that after a loss of power no block has a name and no content.
 */
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isFullDisk } from "./full-disk.ts";
import type { BlockPlace } from "./position.ts";

const RETRY_MS = 500;

/** A block that is being written. */
interface BlockFile {
  /** Writes a chunk at its place in the block. */
  readonly write: (chunk: Buffer, at: number) => Promise<void>;
  /** Makes the block appear under its name. */
  readonly commit: () => Promise<void>;
  readonly abandon: () => Promise<void>;
}

/** Files of one stream's blocks, named after their places, so that none is taken for another. */
export interface BlockFiles {
  readonly pathOf: (place: BlockPlace) => string;
  readonly begin: (place: BlockPlace, signal: AbortSignal) => Promise<BlockFile>;
  readonly remove: (place: BlockPlace) => Promise<void>;
  readonly setAside: (place: BlockPlace) => Promise<void>;
  /** Bytes of the whole block of this place; undefined where there is none. */
  readonly sizeOf: (place: BlockPlace) => Promise<number | undefined>;
  /** Removes all files but those of these places, such as parts that an earlier wrapper left. */
  readonly keepOnly: (places: readonly BlockPlace[]) => Promise<void>;
  /** True while a write waits for room on the disk. */
  readonly isFull: () => boolean;
}

/** Opens the files below the stream's directory. */
export async function openBlockFiles(directory: string): Promise<BlockFiles> {
  const folder = join(directory, "blocks");
  const aside = join(directory, "set-aside");
  for (const made of [directory, folder, aside]) await mkdir(made, { recursive: true, mode: 0o700 });
  let waiting = 0;
  const pathOf = (place: BlockPlace): string => join(folder, placeName(place));
  const whenRoom = async <Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    let isWaiting = false;
    try {
      for (;;) {
        signal.throwIfAborted();
        try {
          return await run();
        } catch (error) {
          if (!isFullDisk(error)) throw error;
          if (!isWaiting) waiting++;
          isWaiting = true;
          await sleep(RETRY_MS, undefined, { signal });
        }
      }
    } finally {
      if (isWaiting) waiting--;
    }
  };
  const begin = async (place: BlockPlace, signal: AbortSignal): Promise<BlockFile> => {
    const part = `${pathOf(place)}.part`;
    const file = await whenRoom(() => open(part, "w", 0o600), signal);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await file.close();
      isOpen = false;
    };
    return {
      write: async (chunk, at) => {
        for (let done = 0; done < chunk.length; ) {
          const write = () => file.write(chunk, done, chunk.length - done, at + done);
          done += (await whenRoom(write, signal)).bytesWritten;
        }
      },
      commit: async () => {
        await whenRoom(() => file.datasync(), signal);
        await close();
        await rename(part, pathOf(place));
      },
      abandon: async () => {
        await close();
        await rm(part, { force: true });
      },
    };
  };
  return {
    pathOf,
    begin,
    remove: (place) => rm(pathOf(place), { force: true }),
    setAside: (place) => rename(pathOf(place), join(aside, placeName(place))),
    sizeOf: (place) =>
      stat(pathOf(place)).then(
        ({ size }) => size,
        () => undefined,
      ),
    keepOnly: async (places) => {
      const kept = new Set(places.map(placeName));
      const others = (await readdir(folder)).filter((name) => !kept.has(name));
      for (const name of others) await rm(join(folder, name), { force: true });
    },
    isFull: () => waiting > 0,
  };
}

/** Name of a block's file: its number, so that names sort as blocks do. */
export function blockName(seq: number): string {
  return String(seq).padStart(12, "0");
}

const placeName = ({ seq, source, offset }: BlockPlace): string => `${blockName(seq)}-${source}-${offset}`;
