/**
 * Lists and reads the files in a job's directory and those below it, to follow and fetch its output.
 *
 * The job may change its directory at any moment, so no link is followed, at no level: each file or directory
 * is opened first, and counts if the system says that what is open lies where its name says.
 */
import { constants, type Dirent, existsSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInnerPath, LISTING_LIMITS } from "../../model/index.ts";
import { type AppendedPart, type FilePart, stillToAppend } from "../../runtime/index.ts";

/** Largest part that is read at once, in bytes. */
const PART_BYTES = 8 << 20;

/** Part of a file of `work`, an absolute path without links; undefined if there is no such file. */
export async function readPart(
  work: string,
  name: string,
  fromByte: number,
  maxBytes: number,
): Promise<FilePart | undefined> {
  if (!isInnerPath(name)) return undefined;
  // A pipe would keep us waiting for its writer without O_NONBLOCK.
  const file = await openItself(join(work, name), constants.O_NONBLOCK);
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

/** Appends to a file of `work` what is not in it yet. @returns its size; undefined where there is none */
export async function appendPart(
  work: string,
  name: string,
  part: AppendedPart,
): Promise<number | undefined> {
  if (!isInnerPath(name)) return undefined;
  const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
  const file = await openItself(join(work, name), O_WRONLY | O_APPEND | O_NONBLOCK);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const bytes = stillToAppend(part, found.size);
    await file.appendFile(bytes);
    return found.size + bytes.length;
  } finally {
    await file.close();
  }
}

/** Removes a regular file of `work`; ignored where there is none. */
export async function removePart(work: string, name: string): Promise<void> {
  if (!isInnerPath(name)) return;
  const folder = await openItself(dirname(join(work, name)), constants.O_DIRECTORY);
  if (folder === undefined) return;
  try {
    const path = hasDescriptors ? join(`${DESCRIPTORS}/${folder.fd}`, basename(name)) : join(work, name);
    const found = await lstat(path).catch(noSuchFile);
    if (found?.isFile() === true) await unlink(path).catch(noSuchFile);
  } finally {
    await folder.close();
  }
}

/** A regular file: its path in the job's directory, and its size. */
interface WorkFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** Regular files within the limits of a listing, ordered by name; those nearest to `work` come first. */
export async function listWork(work: string): Promise<readonly WorkFile[]> {
  const listed: WorkFile[] = [];
  for await (const file of filesBelow(work, LISTING_LIMITS.deepest)) {
    listed.push(file);
    if (listed.length === LISTING_LIMITS.mostFiles) break;
  }
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Size of all regular files, at any depth. */
export async function sizeOfWork(work: string): Promise<number> {
  let bytes = 0;
  for await (const { sizeBytes } of filesBelow(work, Number.POSITIVE_INFINITY)) bytes += sizeBytes;
  return bytes;
}

/** Entries whose sizes are read at once. */
const AT_ONCE = 256;

/** Regular files below `work`, level by level. */
async function* filesBelow(work: string, deepest: number): AsyncGenerator<WorkFile> {
  let folders = [""];
  for (let depth = 0; folders.length > 0 && depth <= deepest; depth++) {
    const next: string[] = [];
    for (const folder of folders) {
      const directory = await openItself(join(work, folder), constants.O_DIRECTORY);
      if (directory === undefined) continue;
      try {
        yield* filesIn(directory, { path: join(work, folder), folder, next });
      } finally {
        await directory.close();
      }
    }
    folders = next;
  }
}

interface OpenFolder {
  readonly path: string;
  /** Name below the job's directory. */
  readonly folder: string;
  /** Directories found in it are added here. */
  readonly next: string[];
}

/** Regular files of an open directory, ordered by name. */
async function* filesIn({ fd }: FileHandle, { path, folder, next }: OpenFolder): AsyncGenerator<WorkFile> {
  const place = hasDescriptors ? `${DESCRIPTORS}/${fd}` : path;
  const entries = await readdir(place, { withFileTypes: true }).catch(noSuchFile);
  const sorted = (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = (entry: Dirent) => (folder === "" ? entry.name : `${folder}/${entry.name}`);
  next.push(...sorted.filter((entry) => entry.isDirectory()).map(named));
  const files = sorted.filter((entry) => entry.isFile());
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(({ name }) => lstat(join(place, name)).catch(noSuchFile)));
    for (const [index, entry] of some.entries()) {
      const file = found[index];
      if (file?.isFile()) yield { name: named(entry), sizeBytes: file.size };
    }
  }
}

/** Where Linux shows the files that this process has open, each as a link to where it is. */
const DESCRIPTORS = "/proc/self/fd";
const hasDescriptors = existsSync(DESCRIPTORS);

/** Opens a path that has no links; undefined if there is none, or what was opened lies elsewhere. */
async function openItself(path: string, flags: number): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | flags).catch(noSuchFile);
  if (handle === undefined) return undefined;
  const place = await (hasDescriptors
    ? readlink(`${DESCRIPTORS}/${handle.fd}`)
    : realpath(path).catch(noSuchFile));
  // A file that was removed while it was open is shown with this ending.
  if (place === path || place === `${path} (deleted)`) return handle;
  await handle.close();
  return undefined;
}

/**
 * Undefined for a link (ELOOP, or ENOTDIR within a path), a socket (ENXIO), a name that is too long, or
 * something without read permission; other errors are thrown.
 */
function noSuchFile(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (["ENOENT", "ENOTDIR", "ELOOP", "EMLINK", "ENXIO", "EACCES", "ENAMETOOLONG"].includes(String(code)))
    return undefined;
  throw error;
}
