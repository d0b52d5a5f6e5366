/**
 * What is in a job's directory, for those who follow its output and fetch it.
 *
 * The job may put anything there while we look: only regular files directly in it are shown, and none that
 * is reached through a link, be it the file or the directory itself.
 */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FilePart } from "../../runtime/index.ts";
import { isBaseName } from "./places.ts";
import { isMissing } from "./site-fault.ts";

/** More is not read at once, whatever is asked for. */
const PART_BYTES = 8 << 20;

/** Part of a file of `work`, an absolute path without links; undefined when there is no such file. */
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

/** Names and sizes, by name. */
export async function listWork(work: string): Promise<{ name: string; sizeBytes: number }[]> {
  if (!(await isItself(work))) return [];
  const names = (await readdir(work)).sort();
  const found = await Promise.all(names.map((name) => lstat(join(work, name)).catch(() => undefined)));
  return names.flatMap((name, at) => {
    const file = found[at];
    return file?.isFile() ? [{ name, sizeBytes: file.size }] : [];
  });
}

/** Whether the path leads there directly: the job could have put a link in the place of its directory. */
async function isItself(work: string): Promise<boolean> {
  try {
    return (await realpath(work)) === work && (await lstat(work)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A link (ELOOP), a socket (ENXIO), a file that the job has made unreadable: nothing to show. */
function noSuchFile(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (["ENOENT", "ELOOP", "EMLINK", "ENXIO", "EACCES"].includes(String(code))) return undefined;
  throw error;
}
