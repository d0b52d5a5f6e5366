/**
 * Prices a slot in a queue that a file describes.
 */
import { readQueueSnapshotFile } from "../formats/queue-snapshot/index.ts";
import { quoteOf } from "../market/index.ts";
import type { QuotedStart, SnapshotQuestion } from "../model/index.ts";

/** The possible starts with their prices. @throws Fault where the file is no such description */
export async function quoteFile({ file, ...question }: SnapshotQuestion): Promise<readonly QuotedStart[]> {
  return quoteOf(await readQueueSnapshotFile(file), question);
}
