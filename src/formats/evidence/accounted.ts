/** Records of use from an accounting of any format. */
import type { Stretch, UseRecord } from "../../policy/index.ts";

/** Records of use with what is known of the record as a whole. */
export interface Accounted {
  readonly records: readonly UseRecord[];
  /** From the first to the last recorded instant; null without records. */
  readonly told: Stretch | null;
  /** Processors of the site by the accounting; undefined where it has no such field. */
  readonly procs: number | undefined;
  /** Sentences on assumptions and on omitted jobs. */
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
