/**
 * Turns blocks of SWF lines into rows of a batch, comments into the header, and bad lines into faults.
 *
 * Ordinary rows are read by `readFastRow`; every other line (comment, blank, unusual or malformed) by the
 * plain reader, which also reports its problem.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import { emptyBatch, maxBatchRows } from "./batch.ts";
import { readFastRow } from "./fast-row.ts";
import { swfHeaderReader } from "./header.ts";
import { type LineBlock, maxLineBytes } from "./line-blocks.ts";
import { controlByteProblem, type LineProblem, overlongProblem, readPlainLine } from "./plain-line.ts";

/** Options of reading a workload. */
export interface SwfOptions {
  /** Named in messages. */
  readonly file: string;
  /** Skip and count malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
}

const maxKeptMessages = 5;
const lineFeed = 10;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** The state of one reading, from the beginning of a file to its end. */
export class LineParser {
  readonly header = swfHeaderReader();
  readonly batch = emptyBatch(maxBatchRows);
  readonly malformedMessages: string[] = [];
  lines = 0;
  rows = 0;
  malformed = 0;
  readonly #options: SwfOptions;

  constructor(options: SwfOptions) {
    this.#options = options;
  }

  /**
   * Reads lines of the block from `from` on, until its end or a full batch; returns where it stopped.
   *
   * @throws Fault on a malformed line, see `readSwf`.
   */
  read(block: LineBlock, from: number): number {
    const { bytes, end } = block;
    const { batch } = this;
    if (block.kind === "overlong") {
      this.lines++;
      this.#refuse(overlongHead(bytes, from), bytes, from);
      return end;
    }
    let at = from;
    while (at < end && batch.count < maxBatchRows) {
      this.lines++;
      const next = readFastRow(bytes, at, batch.fields, batch.count);
      if (next >= 0 && next - at <= maxLineBytes + 1) {
        this.#addRow();
        at = next;
      } else {
        const lineEnd = bytes.indexOf(lineFeed, at);
        const problem = this.#readOther(bytes, at, lineEnd);
        if (problem !== undefined) this.#refuse(problem, bytes, at);
        at = lineEnd + 1;
      }
    }
    return at;
  }

  #addRow(): void {
    const { batch } = this;
    batch.line[batch.count++] = this.lines;
    this.rows++;
  }

  /** Reads a comment, blank line or unusual row: bytes [from, end), no line feed; returns its problem. */
  #readOther(bytes: Uint8Array, from: number, end: number): LineProblem | undefined {
    if (end - from > maxLineBytes) return overlongHead(bytes, from);
    const text = lineText(bytes.subarray(from, end), this.lines === 1);
    const content = text.replace(/^[ \t]+/, "");
    if (content === "") return undefined;
    if (content.startsWith(";")) {
      if (text.includes("\0")) return controlByteProblem(text);
      this.header.add(text);
      return undefined;
    }
    const row = readPlainLine(text);
    if (!row.ok) return row.refusal;
    for (const [column, value] of row.value.entries()) {
      const values = this.batch.fields[column];
      if (values !== undefined) values[this.batch.count] = value;
    }
    this.#addRow();
    return undefined;
  }

  /** Throws the fault of a malformed line, or counts it. */
  #refuse(problem: LineProblem, bytes: Uint8Array, from: number): void {
    const { code, column, what, why } = problem;
    const { file, lenient } = this.#options;
    const packed = this.lines === 1 ? packedAs(bytes.subarray(from)) : undefined;
    const fault = new Fault({
      kind: "badInput",
      code,
      what: `${formatPosition({ file, line: this.lines, column })}: ${what}`,
      why: packed?.why ?? why,
      remedy: packed?.remedy ?? problem.remedy,
    });
    // A file that is not text at all is one error, not a million skipped lines.
    if (!lenient || (code === "swfBinary" && this.rows === 0)) throw fault;
    this.malformed++;
    if (this.malformedMessages.length < maxKeptMessages) this.malformedMessages.push(fault.message);
  }
}

function overlongHead(bytes: Uint8Array, from: number): LineProblem {
  return overlongProblem(lineText(bytes.subarray(from, from + maxLineBytes), false), maxLineBytes);
}

/** The text of a line without its byte order mark and carriage return; old headers may be Latin-1. */
function lineText(bytes: Uint8Array, isFirst: boolean): string {
  const decoded = utf8.decode(bytes);
  const text = decoded.includes("\uFFFD") ? latin1.decode(bytes) : decoded;
  const start = isFirst && text.startsWith("\uFEFF") ? 1 : 0;
  return text.slice(start, text.endsWith("\r") ? -1 : undefined);
}

// Recognises packed files that Stint does not unpack, to say so instead of "not an SWF text file".
//
// By the magic bytes of each format's specification. Gzip is not here: it is unpacked.

interface Packing {
  readonly name: string;
  readonly magic: readonly number[];
  readonly unpack: string;
}

const packings: readonly Packing[] = [
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: "xz -dk FILE" },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: "zstd -dk FILE" },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68], unpack: "bzip2 -dk FILE" },
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04], unpack: "unzip FILE" },
  { name: "compress", magic: [0x1f, 0x9d], unpack: "uncompress -k FILE" },
  { name: "UTF-16 text", magic: [0xff, 0xfe], unpack: "iconv -f UTF-16 -t UTF-8 FILE" },
  { name: "UTF-16 text", magic: [0xfe, 0xff], unpack: "iconv -f UTF-16 -t UTF-8 FILE" },
];

/** Why bytes that begin a file cannot be read and what to do about it; undefined when not recognised. */
function packedAs(bytes: Uint8Array): { readonly why: string; readonly remedy: string } | undefined {
  const packing = packings.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte));
  if (packing === undefined) return undefined;
  return {
    why: `it is ${packing.name}, which is not supported here`,
    remedy: `unpack it first (${packing.unpack}); plain text and gzip are read directly`,
  };
}
