/**
 * A trial of a stream on a class of processors: the rate at which the application processes blocks
 * ([STREAM] 3.3).
 *
 * The first block counts only where it is the only one: it includes the start of the application, which would
 * hide the difference of classes in a trial of a few blocks.
 *
 * A trial ends after its time or its number of blocks, whichever is first, but waits up to ten times as long
 * for the first block to be processed. All blocks that were fetched are processed, and the stream goes on
 * after them: no work of a trial is lost.
 */
import { readFileSync } from "node:fs";
import type { ProcessedStream } from "./life.ts";
import { createStageRate } from "./stage-rate.ts";
import type { StreamOrder } from "./stream-order.ts";

/** Measurements of a trial; rates are absent until the first block is processed. */
export interface TrialFigures {
  readonly className: string;
  readonly bytesPerSec?: number;
  /** Bytes per second of processor time; absent if the system does not report it. */
  readonly bytesPerCpuSec?: number;
}

type Observed = Pick<ProcessedStream, "handed" | "acknowledge">;

/** A trial that has begun. */
export interface Trial {
  /** Wraps the hand-over of blocks and their acknowledgements, in order to measure both. */
  readonly observed: <Processed extends Observed>(processed: Processed) => Processed;
  readonly noteProcess: (pid: number) => void;
  readonly figures: () => TrialFigures;
}

/** Longest wait for the first block, as a multiple of the length of the trial. */
const MOST_TIMES = 10;

/** @param onOver ends the transfer */
export function beginTrial(
  { className, mostMs, mostBlocks }: NonNullable<StreamOrder["trial"]>,
  onOver: () => void,
): Trial {
  const rate = createTrialRate();
  const bytesOf = new Map<number, number>();
  const pids = new Set<number>();
  let sinceMs: number | undefined;
  let handed = 0;
  let isOver = false;
  const end = (): void => {
    const isLate = passedMs() >= (rate.blocks() > 0 ? mostMs : MOST_TIMES * mostMs);
    if (isOver || (handed < mostBlocks && !isLate)) return;
    isOver = true;
    onOver();
  };
  const passedMs = (): number => (sinceMs === undefined ? 0 : performance.now() - sinceMs);
  const begin = (): void => {
    if (sinceMs !== undefined) return;
    sinceMs = performance.now();
    for (const ms of [mostMs, MOST_TIMES * mostMs]) setTimeout(end, ms + 1).unref();
  };
  return {
    observed: (processed) => ({
      ...processed,
      handed: async (block) => {
        const facts = await processed.handed(block);
        // The last block of a trial is not the last block of the stream.
        const last = facts.last && !isOver;
        begin();
        handed++;
        bytesOf.set(facts.seq, facts.bytes);
        rate.offered(performance.now());
        end();
        return { ...facts, last };
      },
      acknowledge: (seq, results) => {
        const size = bytesOf.get(seq);
        if (size !== undefined) {
          bytesOf.delete(seq);
          const block = { bytes: size, cpuSec: cpuSecOf(pids), left: bytesOf.size };
          rate.acknowledged(block, performance.now());
          end();
        }
        processed.acknowledge(seq, results);
      },
    }),
    noteProcess: (pid) => void pids.add(pid),
    figures: () => ({ className, ...rate.figures(performance.now()) }),
  };
}

/** A block that was processed. */
interface ProcessedBlock {
  readonly bytes: number;
  /** Processor time of the application up to now. */
  readonly cpuSec: number;
  /** Blocks that the application still has. */
  readonly left: number;
}

/** Rates of a trial, from its second block on where there is one. */
function createTrialRate() {
  const all = createStageRate();
  const later = createStageRate();
  let blocks = 0;
  const first = { bytes: 0, cpuSec: 0 };
  const sum = { bytes: 0, cpuSec: 0 };
  return {
    blocks: () => blocks,
    offered: (nowMs: number): void => {
      for (const rate of [all, later]) rate.offered(nowMs);
    },
    acknowledged: ({ bytes, cpuSec, left }: ProcessedBlock, nowMs: number): void => {
      blocks++;
      Object.assign(sum, { bytes: sum.bytes + bytes, cpuSec });
      all.acknowledged(bytes, nowMs);
      if (blocks > 1) {
        later.acknowledged(bytes, nowMs);
        return;
      }
      Object.assign(first, sum);
      later.restarted();
      for (let block = 0; block < left; block++) later.offered(nowMs);
    },
    figures: (nowMs: number): Omit<TrialFigures, "className"> => {
      const bytesPerSec = (blocks > 1 ? later : all).bytesPerSec(nowMs);
      const before = blocks > 1 ? first : { bytes: 0, cpuSec: 0 };
      const cpuSec = sum.cpuSec - before.cpuSec;
      return {
        ...(bytesPerSec === null || blocks === 0 ? {} : { bytesPerSec }),
        ...(cpuSec > 0 ? { bytesPerCpuSec: Math.round((sum.bytes - before.bytes) / cpuSec) } : {}),
      };
    },
  };
}

const TICKS_PER_SEC = 100;

/** Processor time of processes and of their ended children; 0 if the system does not report it. */
function cpuSecOf(pids: ReadonlySet<number>): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name of the program, in parentheses, may contain blanks.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      // The process has ended.
    }
  }
  return ticks / TICKS_PER_SEC;
}
