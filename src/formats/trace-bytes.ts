/**
 * Reads a trace file, plain or gzip, as a stream of its uncompressed bytes.
 *
 * Gzip is recognised by its first two bytes (1f 8b), never by the name. On the way the SHA-256 of the
 * stored bytes is computed (what `sha256sum FILE` prints), because every result states what was run.
 * Nothing is opened before the first bytes are asked for, and the file is closed when the consumer stops,
 * early or not. Memory: a few chunks. Pipes work too; their total is unknown. `-` is standard input.
 */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { createGunzip, type Gunzip } from "node:zlib";
import { assert, Fault } from "../base/index.ts";
import { readFault } from "./file-fault.ts";
import { openStandardInput, STANDARD_INPUT, type StoredBytes } from "./standard-input.ts";

/** 256 KiB: large enough that the cost per chunk vanishes, small enough to stay in the L2 cache. */
const defaultChunkBytes = 256 * 1024;
/** Stored bytes unpacked at once: about 300 KB of SWF text. */
const packedChunkBytes = 64 * 1024;

/** One reading of a file; iterate it once. */
export interface TraceBytes extends AsyncIterable<Uint8Array> {
  readonly file: string;
  /** Stored (not unpacked) bytes read so far, for progress. */
  readonly bytesRead: number;
  /** Stored bytes in all; undefined before the reading began and for pipes. */
  readonly bytesTotal: number | undefined;
  /** SHA-256 of the stored bytes, 64 hexadecimal digits; only after reading to the end (asserted). */
  sha256(): string;
}

/**
 * The uncompressed bytes of `file`, in chunks of at most `chunkBytes` that the consumer may keep.
 *
 * Iterating throws a Fault: `fileNotFound`, `isDirectory`, `fileNotReadable`, `badFileName`,
 * `gzipTruncated`, `gzipDamaged`, `readFailed`.
 */
export function traceBytes(file: string, options: { readonly chunkBytes?: number } = {}): TraceBytes {
  const chunkBytes = options.chunkBytes ?? defaultChunkBytes;
  const hash = createHash("sha256");
  let hasBegun = false;
  let bytesRead = 0;
  let bytesTotal: number | undefined;
  let digest: string | undefined;

  async function* stored(handle: StoredBytes, pieceBytes: number) {
    for (;;) {
      const piece = await readPiece(handle, pieceBytes, file);
      if (piece.length === 0) return;
      bytesRead += piece.length;
      hash.update(piece);
      yield piece;
    }
  }

  async function* unpacked(): AsyncGenerator<Uint8Array, void, undefined> {
    assert(!hasBegun, "a trace is iterated once");
    hasBegun = true;
    const handle = await openForReading(file);
    try {
      bytesTotal = handle.bytesTotal;
      const magic = await readMagic(handle, file);
      bytesRead = magic.length;
      hash.update(magic);
      if (magic[0] === 0x1f && magic[1] === 0x8b) {
        yield* gunzip(
          prepended(magic, stored(handle, Math.min(chunkBytes, packedChunkBytes))),
          file,
          chunkBytes,
        );
      } else {
        yield* prepended(magic, stored(handle, chunkBytes));
      }
      digest = hash.digest("hex");
    } finally {
      await handle.close();
    }
  }

  return {
    file,
    get bytesRead() {
      return bytesRead;
    },
    get bytesTotal() {
      return bytesTotal;
    },
    sha256() {
      assert(digest !== undefined, "the hash is asked for after the file was read to its end");
      return digest;
    },
    [Symbol.asyncIterator]: unpacked,
  };
}

async function openForReading(file: string): Promise<StoredBytes> {
  if (file === STANDARD_INPUT) return openStandardInput();
  try {
    const handle = await open(file, "r");
    const stat = await handle.stat();
    if (stat.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error("is a directory"), { code: "EISDIR" });
    }
    return {
      bytesTotal: stat.isFile() ? stat.size : undefined,
      read: async (buffer) => (await handle.read(buffer, 0, buffer.length, null)).bytesRead,
      close: () => handle.close(),
    };
  } catch (error) {
    throw readFault(error, file);
  }
}

/** The first two bytes, fewer only where the file has fewer; a pipe may hand them over one by one. */
async function readMagic(handle: StoredBytes, file: string): Promise<Uint8Array> {
  const first = await readPiece(handle, 2, file);
  if (first.length !== 1) return first;
  return Buffer.concat([first, await readPiece(handle, 1, file)]);
}

async function readPiece(handle: StoredBytes, pieceBytes: number, file: string): Promise<Uint8Array> {
  try {
    const buffer = Buffer.allocUnsafeSlow(pieceBytes);
    return buffer.subarray(0, await handle.read(buffer));
  } catch (error) {
    throw readFault(error, file);
  }
}

async function* prepended(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  if (first.length > 0) yield first;
  yield* rest;
}

// Unpacks gzip bytes while the consumer works on the bytes before.
//
// Node's stream iteration throws away what was unpacked but not yet taken when an error comes; here it is
// all handed on first, so that the position in a fault is where the data really stopped. The next piece
// is being unpacked (on Node's pool of threads) while the consumer holds the present one.
// Source: RFC 1952 [GZIP]: several members one after the other are one file; zero padding may follow.
// Memory: what one stored piece unpacks to, at most about 1,000 times its size.

/**
 * The unpacked bytes, in chunks of at most `chunkBytes`.
 *
 * @throws Fault `gzipTruncated` when the stored bytes end too early, `gzipDamaged` when they are
 * inconsistent; both state the number of unpacked bytes.
 */
async function* gunzip(
  stored: AsyncIterable<Uint8Array>,
  file: string,
  chunkBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacker = createGunzip({ chunkSize: chunkBytes });
  const arrived: Uint8Array[] = [];
  let bytesUnpacked = 0;
  let isOver = false;
  let failure: Error | undefined;
  unpacker.on("data", (piece: Uint8Array) => {
    arrived.push(piece);
    bytesUnpacked += piece.length;
  });
  const over = new Promise<void>((resolve) => {
    const finish = (error?: Error) => {
      isOver = true;
      failure = error;
      resolve();
    };
    unpacker.once("end", () => finish());
    unpacker.once("error", finish);
  });
  try {
    for await (const piece of stored) {
      // Only padding can follow the end; it is still read, because it belongs to the stored bytes' hash.
      const unpacked = isOver ? over : writePiece(unpacker, piece);
      yield* taken(arrived);
      await Promise.race([unpacked, over]);
      if (failure !== undefined) break;
    }
    if (!isOver) unpacker.end();
    await over;
    yield* taken(arrived);
    if (failure !== undefined) throw gzipFault(failure, file, bytesUnpacked);
  } finally {
    unpacker.destroy();
  }
}

function writePiece(unpacker: Gunzip, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    unpacker.write(piece, () => resolve());
  });
}

function* taken(arrived: Uint8Array[]): Generator<Uint8Array, void, undefined> {
  for (let piece = arrived.shift(); piece !== undefined; piece = arrived.shift()) yield piece;
}

function gzipFault(error: Error & { code?: unknown }, file: string, bytesUnpacked: number): Fault {
  const remedy = "fetch or copy the file again and compare its size and checksum with the original";
  if (error.code === "Z_BUF_ERROR") {
    return new Fault({
      kind: "badInput",
      code: "gzipTruncated",
      what: `${file}: the gzip data are truncated`,
      why: `the file ends before its gzip stream does, after ${bytesUnpacked} unpacked bytes`,
      remedy,
      cause: error,
    });
  }
  return new Fault({
    kind: "badInput",
    code: "gzipDamaged",
    what: `${file}: the gzip data are damaged`,
    why: `unpacking stopped with "${error.message}" after ${bytesUnpacked} unpacked bytes`,
    remedy,
    cause: error,
  });
}
