/**
 * A pipeline: stages beside each other, each of which processes what the previous one has made of a block.
 *
 * The output of a stage waits in a directory of bounded size, in the order of the blocks. A block is
 * acknowledged when the last stage has acknowledged it, so that its data stay until then: a stage that
 * crashes is given its input again, and a wrapper that was killed begins at the position, with empty
 * directories.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { Block } from "./block-book.ts";
import type { HandedBlock } from "./delivery.ts";
import { beginLives, type Lives, type ProcessedStream } from "./life.ts";
import { createStageBuffer, type StageBuffer, type StagedBlock } from "./stage-buffer.ts";
import { createStageRate, type StageRate } from "./stage-rate.ts";
import type { StreamOrder } from "./stream-order.ts";

/** A stage as the report has it. */
export interface StageFigures {
  readonly name: string;
  /** Bytes of stream data per second, while the stage has a block; null before the first block. */
  readonly bytesPerSec: number | null;
  /** Output of the previous stage that this stage has not acknowledged. */
  readonly waitingBytes: number;
}

/** The lives of all stages; `over` resolves when the last one has acknowledged everything. */
export interface Stages extends Lives {
  readonly figures: () => readonly StageFigures[];
}

const FOLDER = "stages";

/** Folder of the output of a stage; what waits is in a folder beside it. */
const outputOf = (directory: string, stage: number): string => join(directory, FOLDER, `${stage}-output`);
const waitingOf = (directory: string, stage: number): string => join(directory, FOLDER, `${stage}-waiting`);

/** Makes the directories between stages, without what an earlier wrapper left. */
export async function prepareStages({ directory, application }: StreamOrder): Promise<void> {
  await rm(join(directory, FOLDER), { recursive: true, force: true });
  for (const stage of application.next.keys()) {
    for (const folder of [outputOf(directory, stage), waitingOf(directory, stage)])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

/** Starts every stage. @param stop ends the stream, where a stage has failed */
export function beginStages(whole: ProcessedStream, stop: () => void): Stages {
  const { order } = whole;
  const { name, next } = order.application;
  const names = [name ?? "first", ...next.map((it) => it.name)];
  let fail: (cause: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const lives: Lives[] = [];
  const pump = (): void => {
    for (const it of lives) it.pump();
  };
  const buffers = next.map(({ storageBytes }, stage) =>
    createStageBuffer({
      ...{ stream: order.stream, name: names[stage], storageBytes },
      ...{ from: outputOf(order.directory, stage), to: waitingOf(order.directory, stage) },
      onMore: pump,
    }),
  );
  const rates = names.map(createStageRate);
  const line: Line = { whole, buffers, rates, fail };
  for (const stage of names.keys()) {
    const isAfter = () => stage === 0 || lives[stage - 1].isOver();
    lives.push(stage === 0 ? beginLives(firstStage(line)) : beginLives(laterStage(line, stage, isAfter)));
    void lives[stage].over.then(pump, fail);
  }
  const all = Promise.all(lives.map((it) => it.over));
  const over = Promise.race([all, failed]).then(
    () => undefined,
    async (cause) => {
      stop();
      await Promise.allSettled(lives.map((it) => it.over));
      throw cause;
    },
  );
  return {
    pump,
    over,
    isOver: () => lives.every((it) => it.isOver()),
    crashes: () => lives.reduce((sum, it) => sum + it.crashes(), 0),
    figures: () =>
      names.map((it, stage) => ({
        name: it,
        bytesPerSec: rates[stage].bytesPerSec(performance.now()),
        waitingBytes: stage === 0 ? 0 : buffers[stage - 1].waitingBytes(),
      })),
  };
}

/** State that the stages share. */
interface Line {
  readonly whole: ProcessedStream;
  /** Buffers between stages, each at the number of the stage whose output it has. */
  readonly buffers: readonly StageBuffer[];
  readonly rates: readonly StageRate[];
  readonly fail: (cause: unknown) => void;
}

/** The stage that gets the blocks themselves. */
function firstStage(line: Line): ProcessedStream {
  const { whole, buffers, rates, fail } = line;
  const [buffer] = buffers;
  const facts = new Map<number, HandedBlock>();
  return {
    ...whole,
    program: programOf(whole, 0),
    noteStart: startNoted(line, 0),
    handed: async (block) => {
      const handed = await whole.handed(block);
      facts.set(block.seq, handed);
      rates[0].offered(performance.now());
      buffer.expect(block.seq);
      return handed;
    },
    mayHandOver: buffer.hasRoom,
    settled: buffer.settled,
    acknowledge: (seq, results = []) => {
      const block = whole.deliverable().find((it) => it.seq === seq);
      const handed = facts.get(seq);
      if (block?.isOffered !== true || handed === undefined) return;
      facts.delete(seq);
      block.state = "sending";
      rates[0].acknowledged(block.bytes, performance.now());
      buffer.take({ origin: block, facts: handed }, results, passOrEnd(whole, block)).catch(fail);
    },
    setAside: (block) => {
      buffer.forget(block.seq);
      return whole.setAside(block);
    },
  };
}

/** A stage that gets the output of the one before. */
function laterStage(line: Line, stage: number, isAfter: () => boolean): ProcessedStream<StagedBlock> {
  const { whole, buffers, rates, fail } = line;
  const before = buffers[stage - 1];
  const buffer = buffers.at(stage);
  return {
    ...whole,
    program: programOf(whole, stage),
    noteStart: startNoted(line, stage),
    deliverable: before.deliverable,
    handed: (block) => {
      rates[stage].offered(performance.now());
      buffer?.expect(block.seq);
      return Promise.resolve(block.facts);
    },
    isComplete: isAfter,
    mayHandOver: buffer?.hasRoom ?? whole.mayHandOver,
    settled: buffer?.settled ?? whole.settled,
    acknowledge: (seq, results = []) => {
      const block = before.deliverable().find((it) => it.seq === seq);
      if (block?.isOffered !== true) return;
      const { origin, facts } = block;
      rates[stage].acknowledged(origin.bytes, performance.now());
      // Its file takes a moment to remove: a program that ends meanwhile has not left it undone.
      block.state = "acked";
      before.remove(block).catch(fail);
      if (buffer === undefined) acknowledgeWhole(whole, origin, results);
      else buffer.take({ origin, facts }, results, passOrEnd(whole, origin)).catch(fail);
    },
    setAside: async (block) => {
      buffer?.forget(block.seq);
      await before.remove(block);
      await whole.setAside(block.origin);
    },
  };
}

/** Acknowledges a block of which a stage has made nothing for the next one. */
function passOrEnd(whole: ProcessedStream, origin: Block): () => void {
  return () => acknowledgeWhole(whole, origin, []);
}

function acknowledgeWhole(whole: ProcessedStream, origin: Block, results: readonly string[]): void {
  origin.state = "handed";
  whole.acknowledge(origin.seq, results);
}

function startNoted({ whole, buffers, rates }: Line, stage: number) {
  return (pid: number): void => {
    rates[stage].restarted();
    buffers.at(stage)?.restarted();
    whole.noteStart(pid, stage);
  };
}

function programOf({ order, program }: ProcessedStream, stage: number): ProcessedStream["program"] {
  const { next } = order.application;
  const isLast = stage === next.length;
  return {
    command: stage === 0 ? program.command : next[stage - 1].command,
    inbox: `${program.inbox}-${stage}`,
    ...(isLast ? { results: program.results } : { results: outputOf(order.directory, stage) }),
  };
}

/** @throws Fault for stages that cannot name their output */
export function checkStages({ stream, application }: StreamOrder): void {
  if (application.next.length === 0 || application.delivery !== "bytes") return;
  throw new Fault({
    kind: "badInput",
    code: "pipelineOfFilters",
    what: `stream ${stream} cannot run its pipeline`,
    why: "a stage must name its output when it acknowledges a block, which a filter on plain bytes cannot do",
    remedy: "use the delivery lines or directory, or a single program that runs the filters as a pipe",
  });
}
