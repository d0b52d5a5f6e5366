/**
 * Prices a slot in a queue that a file describes.
 */
import { Fault } from "../base/index.ts";
import { readQueueSnapshotFile } from "../formats/queue-snapshot/index.ts";
import { isCounted, quoteOf } from "../market/index.ts";
import type { QuotedStart, SnapshotQuestion } from "../model/index.ts";

/**
 * Possible starts with their prices.
 *
 * @throws Fault if the file is no queue snapshot, or a price exceeds the range
 */
export async function quoteFile({ file, ...question }: SnapshotQuestion): Promise<readonly QuotedStart[]> {
  const snapshot = await readQueueSnapshotFile(file);
  const { procs, durationMs } = question;
  const starts = quoteOf(snapshot, question);
  const base = procs * durationMs;
  if (starts.every(({ fixedProcMs }) => isCounted(base + fixedProcMs))) return starts;
  throw new Fault({
    kind: "badInput",
    code: "priceUncounted",
    what: `${file}: ${procs} processors for ${durationMs / 1000} s cannot be priced there`,
    why: "their cost exceeds 2.5 billion SU, the largest amount that can be counted exactly",
    remedy: "request fewer processors or less time",
  });
}
