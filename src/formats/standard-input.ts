/**
 * Standard input as a file that is read as often as needed: its kind is told by its beginning, an unsorted
 * trace is read twice, and a comparison reads its record for each side.
 *
 * It is written to a temporary file at the first reading. That file has no name by the time anything is
 * written, so that nothing is left behind, however the program ends.
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFault } from "./file-fault.ts";

/** The name under which commands take standard input. */
export const STANDARD_INPUT = "-";

/** Bytes as they are stored, read from their beginning on. */
export interface StoredBytes {
  /** Undefined for a pipe. */
  readonly bytesTotal: number | undefined;
  /** Fills the buffer, or its beginning; returns the number of bytes, 0 at the end. */
  read(buffer: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

interface Stored {
  readonly handle: FileHandle;
  readonly bytesTotal: number;
}

let stored: Promise<Stored> | undefined;

/**
 * A reading of standard input from its beginning, once its writer has closed it.
 *
 * @throws Fault of writing a temporary file, such as `diskFull`
 */
export async function openStandardInput(): Promise<StoredBytes> {
  stored ??= store();
  const { handle, bytesTotal } = await stored;
  let at = 0;
  return {
    bytesTotal,
    async read(buffer) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      at += bytesRead;
      return bytesRead;
    },
    async close() {},
  };
}

async function store(): Promise<Stored> {
  const folder = tmpdir();
  try {
    const own = await mkdtemp(join(folder, "stint-stdin-"));
    const handle = await open(join(own, "bytes"), "wx+", 0o600);
    await rm(own, { recursive: true });
    let bytesTotal = 0;
    for await (const piece of process.stdin) {
      await handle.writeFile(piece);
      bytesTotal += piece.length;
    }
    return { handle, bytesTotal };
  } catch (error) {
    throw writeFault(error, `standard input to a file in ${folder}`);
  }
}
