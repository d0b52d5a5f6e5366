/**
 * The directory between two stages of a pipeline: outputs of the first, in order, until the second is done.
 *
 * Its size is bounded: the first stage gets no further block while what waits, and what is expected of the
 * blocks that it has, would exceed it. Expected is the largest output so far; before the first output, the
 * stage has one block at a time.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../base/index.ts";
import type { Block } from "./block-book.ts";
import type { HandedBlock } from "./delivery.ts";
import type { Deliverable } from "./life.ts";
import { type Result, takeResults } from "./take-results.ts";

/** Output of a stage for a block. */
export interface StagedBlock extends Deliverable {
  /** Block of the stream that it was made of. */
  readonly origin: Block;
  /** The output as the next stage gets it. */
  readonly facts: HandedBlock;
}

/** A block that a stage has acknowledged, as the stage got it. */
interface Processed {
  readonly origin: Block;
  readonly facts: HandedBlock;
}

/** Data that wait between two stages. */
export interface StageBuffer {
  /** A block was handed to the first stage: an output may come. */
  readonly expect: (seq: number) => void;
  /** The program was started again: it has no block. */
  readonly restarted: () => void;
  /** No output of this block will come. */
  readonly forget: (seq: number) => void;
  /** Takes the output of a block. @param ended called if there is no output. @throws Fault */
  readonly take: (block: Processed, results: readonly string[], ended: () => void) => Promise<void>;
  /** Outputs in the order of their blocks, up to the first that is still expected. */
  readonly deliverable: () => readonly StagedBlock[];
  readonly remove: (block: StagedBlock) => Promise<void>;
  readonly hasRoom: () => boolean;
  readonly waitingBytes: () => number;
  /** Resolves when every output that was acknowledged is there. */
  readonly settled: () => Promise<void>;
}

interface BufferOrder {
  readonly stream: string;
  /** The first of the two stages. */
  readonly name: string;
  readonly storageBytes: number;
  /** Folder of its output. */
  readonly from: string;
  /** Folder in which outputs wait. */
  readonly to: string;
  readonly onMore: () => void;
}

/** Creates the directory's book; the folders exist and are empty. */
export function createStageBuffer(order: BufferOrder): StageBuffer {
  const { stream, from, to, storageBytes, onMore } = order;
  const waiting = new Map<number, StagedBlock>();
  /** Blocks whose output is not there yet, and those of them that the running program has. */
  const expected = new Set<number>();
  const held = new Set<number>();
  let largest = 0;
  let line: Promise<unknown> = Promise.resolve();
  const waitingBytes = (): number => [...waiting.values()].reduce((sum, { facts }) => sum + facts.bytes, 0);
  const forget = (seq: number): void => {
    expected.delete(seq);
    held.delete(seq);
  };
  const takeNow = async ({ origin, facts }: Processed, given: readonly string[], ended: () => void) => {
    const { seq } = origin;
    const [result, ...others] = await takeResults({ stream, seq, from, to }, given);
    if (others.length > 0) throw tooMany(order, seq, others.length + 1);
    if (result !== undefined && result.bytes > storageBytes) throw tooLarge(order, seq, result.bytes);
    if (result === undefined) ended();
    else {
      const { path, bytes } = result;
      largest = Math.max(largest, bytes);
      const staged = { ...facts, path, bytes, sha256: await digestOf(result) };
      waiting.set(seq, { seq, state: "whole", isOffered: false, origin, facts: staged });
    }
    forget(seq);
    onMore();
  };
  return {
    expect: (seq) => {
      expected.add(seq);
      held.add(seq);
    },
    restarted: () => held.clear(),
    forget,
    take: (block, results, ended) => {
      const taken = line.then(() => takeNow(block, results, ended));
      line = taken.catch(() => undefined);
      return taken;
    },
    deliverable: () => {
      const first = Math.min(...expected);
      return [...waiting.values()]
        .filter(({ seq, state }) => seq < first && state !== "acked")
        .sort((one, other) => one.seq - other.seq);
    },
    remove: async ({ seq, facts }) => {
      await rm(facts.path, { force: true });
      waiting.delete(seq);
      onMore();
    },
    hasRoom: () => {
      if (held.size === 0 && waiting.size === 0) return true;
      if (largest === 0) return held.size === 0;
      return waitingBytes() + (held.size + 1) * largest <= storageBytes;
    },
    waitingBytes,
    settled: async () => void (await line),
  };
}

async function digestOf({ path }: Result): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function tooMany({ stream, name }: BufferOrder, seq: number, count: number): Fault {
  return new Fault({
    ...{
      kind: "failed",
      code: "badResult",
      what: `stage ${name} of stream ${stream} cannot pass on block ${seq}`,
    },
    why: `its acknowledgement names ${count} files, and a stage may pass on only one file for each block`,
    remedy: "write the output for a block to one file, or name none if the block is not to be passed on",
  });
}

function tooLarge({ stream, name, storageBytes }: BufferOrder, seq: number, bytes: number): Fault {
  return new Fault({
    ...{
      kind: "failed",
      code: "badResult",
      what: `stage ${name} of stream ${stream} cannot pass on block ${seq}`,
    },
    why: `its output has ${bytes} bytes, and its storage is ${storageBytes}`,
    remedy: "give the stage more `storage` in the description, or make the blocks smaller",
  });
}
