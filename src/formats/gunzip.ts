/**
 * Unpacks gzip bytes while the consumer works on the bytes before.
 *
 * Node's stream iteration throws away what was unpacked but not yet taken when an error comes; here it is
 * all handed on first, so that the position in a fault is where the data really stopped. The next piece
 * is being unpacked (on Node's pool of threads) while the consumer holds the present one.
 * Source: RFC 1952 [GZIP]: several members one after the other are one file; zero padding may follow.
 * Memory: what one stored piece unpacks to, at most about 1,000 times its size.
 */
import { createGunzip, type Gunzip } from "node:zlib";
import { Fault } from "../base/index.ts";

/**
 * The unpacked bytes, in pieces of at most `chunkBytes`.
 *
 * @throws Fault `gzipTruncated` when the stored bytes end too early, `gzipDamaged` when they contradict
 * themselves; both say after how many unpacked bytes.
 */
export async function* gunzip(
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
