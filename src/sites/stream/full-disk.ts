/** Recognises a disk, or a quota of the file system, without room. */

const FULL = ["ENOSPC", "EDQUOT"];

/** True for errors of a disk or a quota of the file system without room. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && FULL.includes(String(error.code));
}
