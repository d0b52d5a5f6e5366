/**
 * Lists and reads the files in a job's directory, to follow and fetch its output.
 *
 * The job may change the directory at any moment, so only regular files directly in it are shown, and no
 * link is followed, neither to a file nor to the directory.
 */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FilePart } from "../../runtime/index.ts";
import { isBaseName } from "./places.ts";
import { isMissing } from "./site-fault.ts";

/** Largest part that is read at once, in bytes. */
const PART_BYTES = 8 << 20;

/** Part of a file of `work`, an absolute path without links; undefined if there is no such file. */
export async function readPart(
  work: string,
  name: string,
  fromByte: number,
  maxBytes: number,
): Promise<FilePart | undefined> {
  if (!isBaseName(name) || !(await isItself(work))) return undefined;
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // A pipe would keep us waiting for its writer without O_NONBLOCK.
  const file = await open(join(work, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(noSuchFile);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const length = Math.max(0, Math.min(maxBytes, found.size - fromByte, PART_BYTES));
    const buffer = new Uint8Array(length);
    const { bytesRead } = await file.read(buffer, 0, length, fromByte);
    return { bytes: buffer.subarray(0, bytesRead), sizeBytes: found.size };
  } finally {
    await file.close();
  }
}

/** Names and sizes of the regular files, ordered by name. */
export async function listWork(work: string): Promise<{ name: string; sizeBytes: number }[]> {
  if (!(await isItself(work))) return [];
  const names = (await readdir(work)).sort();
  const found = await Promise.all(names.map((name) => lstat(join(work, name)).catch(() => undefined)));
  return names.flatMap((name, at) => {
    const file = found[at];
    return file?.isFile() ? [{ name, sizeBytes: file.size }] : [];
  });
}

/** True if the path is a directory and not a link that the job put in its place. */
async function isItself(work: string): Promise<boolean> {
  try {
    return (await realpath(work)) === work && (await lstat(work)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Undefined for a link (ELOOP), a socket (ENXIO) or a file without read permission; other errors are
 * thrown.
 */
function noSuchFile(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (["ENOENT", "ELOOP", "EMLINK", "ENXIO", "EACCES"].includes(String(code))) return undefined;
  throw error;
}
