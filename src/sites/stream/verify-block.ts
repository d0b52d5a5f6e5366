/** Computes the digest of a source up to a block, and compares it where the source ends. */
import { createReadStream } from "node:fs";
import { Fault } from "../../base/index.ts";
import type { Block } from "./block-book.ts";
import { beginDigest, type DigestKind, type DigestState, endDigest, extendDigest } from "./digest.ts";

/** A block that is to be verified. */
interface Verification {
  readonly block: Block;
  readonly path: string;
  readonly href: string;
  /** As in the order: `sha256:…`. */
  readonly checksum: string;
  /** Digest of the source up to the block; null at its beginning. */
  readonly before: DigestState | null;
  readonly isLastOfSource: boolean;
}

/** Digest up to the end of the block. @throws Fault where the whole source has another checksum */
export async function verifyBlock(order: Verification): Promise<DigestState> {
  const { block, path, href, checksum, before, isLastOfSource } = order;
  const [kind, expected] = checksum.split(":");
  let state = block.offset === 0 || before === null ? beginDigest(kind as DigestKind) : before;
  for await (const chunk of createReadStream(path)) state = extendDigest(state, chunk);
  const found = endDigest(state);
  if (!isLastOfSource || found === expected) return state;
  throw new Fault({
    kind: "failed",
    code: "checksumDiffers",
    what: `the checksum of ${href} differs`,
    why:
      `block ${block.seq}: up to the end of this block the ${kind} of ${href} is ${found}, but ${expected} ` +
      "was expected",
    remedy: "the data or the checksum is wrong: compare them at the source, and submit the stream again",
  });
}
