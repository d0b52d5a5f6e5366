/**
 * Reads a workload with several resources, pools and events: JSON lines, plain or gzip.
 *
 * The format is our own (docs/guides/workload-format.md), made to be written by a few lines of script from
 * any accounting. It is read as a stream of lines; the caller decides what it retains.
 */
import { Fault } from "../../base/index.ts";
import { lineBlocks, maxLineBytes } from "../index.ts";
import { type TraceBytes, traceBytes } from "../trace-bytes.ts";
import type { WorkloadEntry } from "./entry.ts";
import { readFlatLine } from "./flat-line.ts";
import { lineFault } from "./line-fields.ts";
import { readEntry } from "./read-entry.ts";

/** Treatment of malformed lines. */
export interface WorkloadReading {
  /** Skip and count them instead of stopping at the first. */
  readonly lenient: boolean;
}

/** One reading of a workload file; iterate `entries` once. */
export interface WorkloadReader {
  readonly bytes: TraceBytes;
  /** The entries in the order of the file, a block of lines at a time. */
  readonly entries: AsyncIterable<readonly WorkloadEntry[]>;
  /** Malformed lines skipped so far; only with `lenient`. */
  readonly malformed: number;
  /** A message for each of the first five of them. */
  readonly malformedMessages: readonly string[];
}

const MESSAGES_KEPT = 5;

/**
 * Opens a workload, a file or the bytes of one; nothing is read before the first entries are asked for.
 *
 * Iterating throws a Fault as `traceBytes` does, and those of a malformed line with file, line and column.
 */
export function readWorkloadLines(
  file: string,
  { lenient }: WorkloadReading,
  bytes: TraceBytes = traceBytes(file),
): WorkloadReader {
  const malformedMessages: string[] = [];
  let malformed = 0;
  let line = 0;

  function entryOf(text: string): WorkloadEntry | undefined {
    line++;
    try {
      return entryIn(text, { file, line });
    } catch (error) {
      if (!lenient || !(error instanceof Fault)) throw error;
      malformed++;
      if (malformedMessages.length < MESSAGES_KEPT) malformedMessages.push(error.message);
      return undefined;
    }
  }

  async function* entries(): AsyncGenerator<readonly WorkloadEntry[], void, undefined> {
    for await (const texts of linesOf(bytes)) {
      yield texts.flatMap((text) => entryOf(text) ?? []);
    }
  }

  return {
    bytes,
    entries: { [Symbol.asyncIterator]: entries },
    get malformed() {
      return malformed;
    },
    malformedMessages,
  };
}

/** Whole lines without their ends, a block at a time; a line over the limit is replaced by its length. */
async function* linesOf(bytes: TraceBytes): AsyncGenerator<readonly string[], void, undefined> {
  const blocks = lineBlocks();
  const decoder = new TextDecoder();
  const textsOf = (block: { readonly bytes: Uint8Array; readonly from: number; readonly end: number }) =>
    decoder.decode(block.bytes.subarray(block.from, block.end)).replace(/\n$/, "").split("\n");
  for await (const chunk of bytes) for (const block of blocks.feed(chunk)) yield textsOf(block);
  for (const block of blocks.finish()) yield textsOf(block);
}

function entryIn(text: string, place: { file: string; line: number }): WorkloadEntry | undefined {
  if (/^[ \t\r]*$/.test(text)) return undefined;
  if (text.length > maxLineBytes) {
    throw lineFault(place, 1, {
      code: "workloadSyntax",
      what: "this line is too long",
      why: `a line has at most ${maxLineBytes} bytes`,
      remedy: "write one object a line",
    });
  }
  const fields = readFlatLine(text);
  if (fields.ok) return readEntry({ ...place, fields: fields.value });
  const { column, what, why } = fields.refusal;
  throw lineFault(place, column, {
    code: "workloadSyntax",
    what,
    why,
    remedy: 'correct the line; it looks like {"job": "1", "submit": 0, "runtime": "1h", "procs": 4}',
  });
}
