/**
 * Rows in columns: what the SWF reader hands over at once.
 *
 * A struct of arrays, so that a million jobs make no million objects. 4,096 rows are 600 KB: the cost of
 * one asynchronous step is spread over them, and they stay in the processor's cache.
 */
import { swfFieldCount } from "./fields.ts";

/** Up to 4,096 rows. The reader uses one batch again and again: take what you need before the next. */
export interface SwfBatch {
  /** Rows filled, ≥ 1; rows from here on are rubbish. */
  readonly count: number;
  /** 18 columns in the order of `swfField`; seconds, kilobytes, counts; -1 for unknown. */
  readonly fields: readonly Float64Array[];
  /** The line of each row in the file, from 1. */
  readonly line: Float64Array;
}

/** A batch that is being filled. */
export interface OpenBatch extends SwfBatch {
  count: number;
}

/** Rows of a batch when it is full. */
export const maxBatchRows = 4096;

/** An empty batch with room for `rows`. */
export function emptyBatch(rows: number): OpenBatch {
  const fields = Array.from({ length: swfFieldCount }, () => new Float64Array(rows));
  return { count: 0, fields, line: new Float64Array(rows) };
}
