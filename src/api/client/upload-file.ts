/** Uploads of files of this machine. */
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Fault } from "../../base/index.ts";
import type { UploadView } from "../../contract/index.ts";
import { sandboxName, uploadPath } from "../../model/index.ts";
import { callOver } from "./call.ts";
import type { Connection } from "./connection.ts";
import { type SendOptions, sendContent } from "./send-content.ts";

/** Upload of a file. */
export interface UploadOptions extends SendOptions {
  /** Path in the job's directory; the base name where absent, or what follows `/./`. */
  readonly name?: string;
}

const HASHED_BYTES = 1024 * 1024;
const OWNER_MAY_EXECUTE = 0o100;

/**
 * Uploads a file, or what of it the broker lacks.
 *
 * @returns its name for the inputSandbox of a job; with permission to execute where its owner has it
 */
export async function uploadFile(
  { connection, patienceMs }: { readonly connection: Connection; readonly patienceMs: number },
  path: string,
  { name = sandboxName(path), ...options }: UploadOptions = {},
): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, openText(error));
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw unreadable(path, "it is not a regular file");
    const { size: sizeBytes } = found;
    const sha256 = await hashOf(file, options.signal);
    const piece = (from: number, end: number) => readPiece({ file, path }, from, end);
    const world = { call: callOver(connection), put: putOver(connection), patienceMs };
    await sendContent(world, { sha256, sizeBytes, piece }, options).catch((error: unknown) => {
      // The broker got other bytes than were hashed before.
      throw error instanceof Fault && error.code === "uploadHashDiffers" ? changed(path) : error;
    });
    return uploadPath({ sha256, name, isExecutable: (found.mode & OWNER_MAY_EXECUTE) !== 0 });
  } finally {
    await file.close();
  }
}

function putOver(connection: Connection) {
  return async (path: string, bytes: Uint8Array, signal: AbortSignal | undefined) =>
    (await connection.json({ method: "PUT", path, bytes, signal, isRepeatable: false })) as UploadView;
}

async function hashOf(file: FileHandle, signal: AbortSignal | undefined): Promise<string> {
  const digest = createHash("sha256");
  const buffer = Buffer.alloc(HASHED_BYTES);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return digest.digest("hex");
    digest.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

interface OpenFile {
  readonly file: FileHandle;
  readonly path: string;
}

/** Fewer bytes where the file became shorter: then its hash differs, which the broker says. */
async function readPiece({ file, path }: OpenFile, from: number, end: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(end - from);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  if (bytesRead === 0 && end > from) throw changed(path);
  return buffer.subarray(0, bytesRead);
}

function openText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  return code === "EACCES" ? "you are not allowed to read it" : error.message;
}

function unreadable(path: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "fileUnreadable",
    what: `${path} cannot be uploaded`,
    why,
    remedy: "name a regular file that you may read; pack a directory into an archive",
  });
}

function changed(path: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "sandboxChanged",
    what: `${path} cannot be uploaded`,
    why: "its content changed during the upload",
    remedy: "submit again when no program is writing to it, or upload a copy",
  });
}
