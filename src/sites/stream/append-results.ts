/**
 * Sinks with the mode append: the results of a stream in one file, in the order of its blocks.
 *
 * Each append has the offset at which the results of its block begin. Bytes beyond the offset come from an
 * attempt that was not confirmed, and are replaced.
 */
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { isPassingFileError, SinkProblem } from "./send-object.ts";

/** A result, and where it begins in the file. */
export interface AppendedResult {
  readonly path: string;
  readonly href: string;
  readonly offset: number;
}

/** Resolves when the result is on the disk. @throws SinkProblem, also for a file that has become shorter */
export async function appendResult({ path, href, offset }: AppendedResult): Promise<void> {
  const target = fileURLToPath(href);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, "a", 0o600);
    try {
      const { size } = await file.stat();
      if (size < offset) {
        const why = `${target} has ${size} bytes, and ${offset} were confirmed before`;
        throw new SinkProblem(false, why);
      }
      if (size > offset) await file.truncate(offset);
      for await (const chunk of Readable.from(createReadStream(path))) await file.appendFile(chunk as Buffer);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof SinkProblem) throw cause;
    throw new SinkProblem(isPassingFileError(cause), (cause as Error).message, cause);
  }
}

/** Order in which results may be appended: those of a block when all blocks before it are done. */
export interface Turns {
  /** Resolves when all blocks before this one are done. */
  readonly of: (seq: number) => Promise<void>;
  /** Every block before this one is done. */
  readonly reached: (seq: number) => void;
  readonly hasCome: (seq: number) => boolean;
}

/** Turns in the order of blocks, from `first` on. */
export function turnsFrom(first: number): Turns {
  let next = first;
  const waiting = new Map<number, () => void>();
  return {
    of: (seq) => (seq <= next ? Promise.resolve() : new Promise((resolve) => waiting.set(seq, resolve))),
    reached: (seq) => {
      next = seq;
      waiting.get(seq)?.();
      waiting.delete(seq);
    },
    hasCome: (seq) => seq <= next,
  };
}

/** No order: each result is an object of its own. */
export const NO_TURNS: Turns = {
  of: () => Promise.resolve(),
  reached: () => undefined,
  hasCome: () => true,
};
