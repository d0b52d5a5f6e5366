/**
 * Fetches one block into its file, however often the connection is lost: it goes on where it was cut.
 */
import { createHash } from "node:crypto";
import type { BlockFiles } from "./block-files.ts";
import type { BlockPlace } from "./position.ts";
import { SourceProblem } from "./source-problem.ts";
import type { SourceReader } from "./source-reader.ts";
import { createAttempts, type Trouble } from "./trouble.ts";

/** A block to be fetched. */
interface FetchOrder {
  readonly place: BlockPlace;
  readonly length: number;
  readonly reader: SourceReader;
  readonly files: BlockFiles;
  readonly signal: AbortSignal;
  readonly pay: (bytes: number) => Promise<void>;
  readonly onProgress: (bytes: number) => void;
  /** Hears of each attempt that failed. */
  readonly onTrouble: (trouble: Trouble) => void;
}

/** A whole block. */
interface FetchedBlock {
  /** Fewer than asked for only where the source ended. */
  readonly bytes: number;
  readonly sha256: string;
}

/** @throws SourceProblem where further attempts are useless; whatever the signal says when it aborts */
export async function fetchBlock(order: FetchOrder): Promise<FetchedBlock> {
  const { place, files, signal } = order;
  const file = await files.begin(place, signal);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const keep = async (chunk: Buffer): Promise<void> => {
      await file.write(chunk, bytes);
      hash.update(chunk);
      bytes += chunk.length;
      order.onProgress(bytes);
    };
    await readWithRetries(order, () => bytes, keep);
    if (bytes === 0) await file.abandon();
    else await file.commit();
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

async function readWithRetries(
  { place: { offset }, length, reader, signal, pay, onTrouble }: FetchOrder,
  done: () => number,
  keep: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const attempts = createAttempts("source");
  for (;;) {
    const before = done();
    try {
      const isBegun = before > 0;
      await reader.read({ start: offset + before, end: offset + length, isBegun, signal, pay, keep });
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceProblem)) throw error;
      if (error.kind !== "temporary" && error.kind !== "awaited") throw error;
      const { message, kind } = error;
      if (done() > before) attempts.succeeded();
      await attempts.failed({ message, isAwaited: kind === "awaited", signal, tell: onTrouble });
    }
  }
}
