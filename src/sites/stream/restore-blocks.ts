/** Finds the blocks that an earlier wrapper fetched, so that they need not be fetched again. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Block, BlockBook } from "./block-book.ts";
import type { BlockFiles } from "./block-files.ts";

/**
 * Plans the blocks after the position whose files are whole, and those missing between them.
 *
 * @param gap blocks that may be missing in a row: as many as were fetched at once; 0 keeps none
 */
export async function restoreBlocks(book: BlockBook, files: BlockFiles, gap: number): Promise<void> {
  const kept: Block[] = [];
  let missing: Block[] = [];
  while (missing.length < gap) {
    const block = book.planNext();
    if (block === undefined) break;
    if ((await files.sizeOf(block)) === block.length) {
      Object.assign(block, {
        state: "whole",
        bytes: block.length,
        sha256: await digestOf(files.pathOf(block)),
      });
      kept.push(block);
      missing = [];
    } else missing.push(block);
  }
  if (missing.length > 0) book.forgetFrom(missing[0]);
  await files.keepOnly(kept);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
