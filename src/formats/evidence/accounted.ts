/**
 * What an accounting tells of use, whichever form it had.
 */
import type { Stretch, UseRecord } from "../../policy/index.ts";

/** Records of use with what is known of the record as a whole. */
export interface Accounted {
  readonly records: readonly UseRecord[];
  /** From the first to the last instant that it tells of; null where it tells of none. */
  readonly told: Stretch | null;
  /** Processors that it says the site has; undefined where it does not say. */
  readonly procs: number | undefined;
  /** What was assumed and what was left out, a sentence each. */
  readonly remarks: readonly string[];
  /** SHA-256 of the file's bytes. */
  readonly sha256: string;
}

/** From the first submission to the last end of records. */
export function toldBy(records: readonly UseRecord[]): Stretch | null {
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { submittedAtMs, waits, runs, endedAtMs } of records) {
    fromMs = Math.min(fromMs, submittedAtMs);
    const stretches = [...waits, ...runs];
    for (const { fromMs: begin, toMs: end } of stretches) toMs = Math.max(toMs, begin, end ?? begin);
    toMs = Math.max(toMs, submittedAtMs, endedAtMs ?? submittedAtMs);
  }
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/** Sentences for counts that are not zero. */
export function countedRemarks(counts: readonly (readonly [number, string])[]): readonly string[] {
  return counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}
