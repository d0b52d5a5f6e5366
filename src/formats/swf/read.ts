/**
 * Reads a workload in the Standard Workload Format from a stream of bytes.
 *
 * Source: SWF 2.2, Chapin et al. 1999 [SWF]. Accepted beyond it: tabs, CRLF, blank lines, comments among
 * the data, a byte order mark, a last line without its end. Rows come in batches of columns; memory does
 * not grow with the file.
 */
import { assert, Fault } from "../../base/index.ts";
import type { SwfBatch } from "./batch.ts";
import type { SwfHeader } from "./header.ts";
import { type LineBlock, lineBlocks } from "./line-blocks.ts";
import { LineParser, type SwfOptions } from "./parse-lines.ts";

/** One reading; iterate it once. The counts and the header are of what was read so far. */
export interface SwfReader extends AsyncIterable<SwfBatch> {
  /** Complete with the first batch, but for comments that stand among the data. */
  readonly header: SwfHeader;
  /** Lines met, of every kind. */
  readonly lines: number;
  /** Rows read. */
  readonly rows: number;
  /** Malformed lines skipped; 0 unless lenient. */
  readonly malformed: number;
  /** One message for each of the first 5 of them, with file, line and column. */
  readonly malformedMessages: readonly string[];
}

/**
 * The rows of the SWF text in `bytes`, in batches of up to 4,096; one batch object is reused for all.
 *
 * No rows at all is no error here.
 *
 * @throws Fault (`badInput`) at the first malformed line unless lenient: `swfFieldCount`,
 * `swfNotANumber`, `swfNumberTooLarge`, `swfFractionalField`, `swfNoSubmitTime`, `swfTrailingComment`,
 * `swfLineTooLong`, `swfBinary`; in any case `swfBinary` before the first row, and what `bytes` throws.
 */
export function readSwf(bytes: AsyncIterable<Uint8Array>, options: SwfOptions): SwfReader {
  const parser = new LineParser(options);
  let hasBegun = false;

  async function* batches(): AsyncGenerator<SwfBatch, void, undefined> {
    assert(!hasBegun, "an SWF reader is iterated once");
    hasBegun = true;
    const blocks = lineBlocks();
    for await (const chunk of located(bytes, parser)) {
      for (const block of blocks.feed(chunk)) yield* fullBatches(parser, block);
    }
    for (const block of blocks.finish()) yield* fullBatches(parser, block);
    if (parser.batch.count > 0) yield parser.batch;
  }

  return {
    header: parser.header,
    malformedMessages: parser.malformedMessages,
    get lines() {
      return parser.lines;
    },
    get rows() {
      return parser.rows;
    },
    get malformed() {
      return parser.malformed;
    },
    [Symbol.asyncIterator]: batches,
  };
}

/** Reads the block; yields each time that the batch is full, then empties it. */
function* fullBatches(parser: LineParser, block: LineBlock): Generator<SwfBatch, void, undefined> {
  for (let at = parser.read(block, block.from); at < block.end; at = parser.read(block, at)) {
    yield parser.batch;
    parser.batch.count = 0;
  }
}

/** The chunks; a fault of gzip also states the last complete line. */
async function* located(bytes: AsyncIterable<Uint8Array>, parser: LineParser) {
  try {
    yield* bytes;
  } catch (error) {
    const isPacking = error instanceof Fault && error.code.startsWith("gzip");
    if (!isPacking) throw error;
    const { kind, code, what, remedy, cause } = error;
    const why = `${error.why}; the last complete line is ${parser.lines}`;
    throw new Fault({ kind, code, what, why, remedy, cause });
  }
}
