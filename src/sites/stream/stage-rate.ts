/**
 * Rate of one stage of a pipeline: bytes of stream data per second, while the stage has a block.
 *
 * Under back-pressure all stages pass on blocks equally often; the time in which a stage has none to process
 * does not count, so that the slowest stage has the lowest rate.
 */

/** Rate of a stage over its last blocks. */
export interface StageRate {
  readonly offered: (nowMs: number) => void;
  /** @param bytes data of the stream that the block was made of */
  readonly acknowledged: (bytes: number, nowMs: number) => void;
  /** The program was started again: it has no block. */
  readonly restarted: () => void;
  /** Null before the first block. */
  readonly bytesPerSec: (nowMs: number) => number | null;
}

const WINDOW_BLOCKS = 20;

/** Creates the rate of a stage that has processed nothing yet. */
export function createStageRate(): StageRate {
  const marks: { readonly busyMs: number; readonly bytes: number }[] = [];
  let held = 0;
  let busySince = 0;
  return {
    offered: (nowMs) => {
      if (held === 0) busySince = nowMs;
      held++;
    },
    acknowledged: (bytes, nowMs) => {
      marks.push({ busyMs: held > 0 ? nowMs - busySince : 0, bytes });
      if (marks.length > WINDOW_BLOCKS) marks.shift();
      held = Math.max(0, held - 1);
      busySince = nowMs;
    },
    restarted: () => {
      held = 0;
    },
    bytesPerSec: (nowMs) => {
      if (marks.length === 0) return null;
      const busyMs = marks.reduce((sum, it) => sum + it.busyMs, 0);
      const bytes = marks.reduce((sum, it) => sum + it.bytes, 0);
      // A block that takes longer than the others counts before it is processed.
      const sinceMs = held > 0 ? nowMs - busySince : 0;
      const late = sinceMs > busyMs / marks.length ? sinceMs : 0;
      return Math.round((bytes * 1000) / Math.max(1, busyMs + late));
    },
  };
}
