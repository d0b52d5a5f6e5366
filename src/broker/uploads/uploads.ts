/**
 * Uploads of clients, each in a directory of its owner (rules BR-220 to BR-223):
 *
 *     OWNER/HASH/part-SIZE   what has arrived of so many bytes
 *     OWNER/HASH/whole       a link to the shared copy, once the hash is right
 *
 * OWNER is a hash, since a name may be no name of a directory. The time of `OWNER/HASH` is that of its last
 * use. What is known of an upload is read from the disk, so a restart forgets nothing.
 */
import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { chmod, copyFile, mkdir, open, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault } from "../../base/index.ts";
import { isInnerPath, type NamedUpload } from "../../model/index.ts";
import type { Upload, UploadPiece, Uploads } from "../../runtime/index.ts";
import { EXECUTABLE, forgetUnused, ignoring, linkOrCopy, namesIn, shareCopy } from "../shared-copies.ts";
import { createTakeOver } from "./take-over.ts";
import * as faults from "./upload-faults.ts";
import { createRoom } from "./upload-room.ts";

/** Limits of uploads. */
export interface UploadLimits {
  /** Most bytes of one upload. */
  readonly mostBytes?: number;
  /** Most bytes of all uploads of one owner; 16 GiB where absent. */
  readonly quotaBytes?: number;
  /** Most uploads of one owner; 10,000 where absent. */
  readonly most?: number;
  /** Time after its last use after which an upload is removed; a day where absent. */
  readonly keepMs?: number;
}

/** Directories of shared copies and of drafts. */
interface CopyPlaces {
  readonly copies: string;
  readonly coming: string;
}

/** Uploads, and what sandboxes do with them. */
export interface KeptUploads extends Uploads {
  /** Puts a file into the folder of a job. @returns its bytes. @throws Fault `notUploaded` */
  give(upload: NamedUpload & { readonly owner: string | undefined }, folder: string): Promise<number>;
  /** Removes what was not used for a day. */
  expire(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
const EXPIRE_EVERY_MS = 600_000;
const LIMITS = { mostBytes: 8 * 1024 ** 3, quotaBytes: 16 * 1024 ** 3, most: 10_000, keepMs: DAY_MS };
const PART = "part-";
const WHOLE = "whole";

/** Uploads in a directory of the broker's own. */
export function uploadsIn(directory: string, places: CopyPlaces, limits: UploadLimits = {}): KeptUploads {
  const { keepMs, ...roomLimits } = { ...LIMITS, ...limits };
  const takeOver = createTakeOver();
  const ownerFolder = (owner: string): string =>
    join(directory, createHash("sha256").update(owner).digest("hex").slice(0, 32));
  const folderOf = (owner: string, sha256: string): string => join(ownerFolder(owner), sha256);
  const find = (owner: string, sha256: string) => uploadAt(folderOf(owner, sha256), sha256, keepMs);
  const room = createRoom(roomLimits, (folder) => uploadsOf(folder, keepMs));
  const drop = async (folder: string, sha256: string): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await room.free(dirname(folder), sha256);
    await forgetUnused(join(places.copies, sha256));
  };
  let expiredAtMs = 0;
  const expire = async (): Promise<void> => {
    expiredAtMs = Date.now();
    for (const folder of await foldersIn(directory)) {
      const sha256 = basename(folder);
      const { expiresAtMs } = await uploadAt(folder, sha256, keepMs);
      if (expiresAtMs === null || expiresAtMs <= Date.now()) await drop(folder, sha256);
    }
  };
  const append = async (piece: UploadPiece, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    const { owner, sha256, sizeBytes, fromByte } = piece;
    const folder = folderOf(owner, sha256);
    const before = await find(owner, sha256);
    if (before.isWhole) return before;
    const isOther = before.sizeBytes !== sizeBytes;
    const receivedBytes = isOther ? 0 : before.receivedBytes;
    if (fromByte !== receivedBytes) throw faults.wrongOffset(receivedBytes);
    await room.take(ownerFolder(owner), sha256, sizeBytes);
    if (isOther) await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `${PART}${sizeBytes}`);
    await appendTo(part, bytes, { fromByte, sizeBytes, signal });
    if ((await stat(part)).size === sizeBytes) await makeWhole(folder, part, sha256);
    await touch(folder);
    return find(owner, sha256);
  };
  const makeWhole = async (folder: string, part: string, sha256: string): Promise<void> => {
    const found = await hashOf(part);
    if (found !== sha256) {
      await drop(folder, sha256);
      throw faults.hashDiffers(sha256, found);
    }
    for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
    await shareCopy(part, join(places.copies, sha256), join(folder, WHOLE));
  };
  return {
    ...{ find, expire },
    list: (owner) => uploadsOf(ownerFolder(owner), keepMs),
    async append(piece, bytes) {
      if (Date.now() - expiredAtMs > EXPIRE_EVERY_MS) await expire();
      const folder = folderOf(piece.owner, piece.sha256);
      return takeOver(folder, (signal) => append(piece, bytes, signal));
    },
    remove: (owner, sha256) =>
      takeOver(folderOf(owner, sha256), async () => {
        const upload = await find(owner, sha256);
        await drop(folderOf(owner, sha256), sha256);
        return upload;
      }),
    async give({ owner, ...upload }, folder) {
      const from = owner === undefined ? undefined : folderOf(owner, upload.sha256);
      if (from === undefined || !isInnerPath(upload.name)) throw faults.notUploaded(upload.name);
      return giveFrom(from, upload, { ...places, folder });
    },
  };
}

/** Puts an upload into the folder of a job; using it lets it be kept for longer. */
async function giveFrom(
  from: string,
  { sha256, name, isExecutable }: NamedUpload,
  { folder, ...places }: CopyPlaces & { readonly folder: string },
): Promise<number> {
  const whole = join(from, WHOLE);
  const found = await stat(whole).catch(ignoring("ENOENT"));
  if (found === undefined) throw faults.notUploaded(name);
  const copy = isExecutable ? `${sha256}${EXECUTABLE}` : sha256;
  const place = join(folder, copy, name);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  if (isExecutable) await shareExecutable(whole, { ...places, copy, place });
  else await linkOrCopy(whole, place);
  await touch(from);
  return found.size;
}

/** Folders of all uploads. */
async function foldersIn(directory: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const owner of await namesIn(directory)) {
    for (const sha256 of await namesIn(join(directory, owner))) folders.push(join(directory, owner, sha256));
  }
  return folders;
}

async function uploadsOf(ownerFolder: string, keepMs: number): Promise<readonly Upload[]> {
  const uploads: Upload[] = [];
  for (const sha256 of await namesIn(ownerFolder)) {
    const upload = await uploadAt(join(ownerFolder, sha256), sha256, keepMs);
    if (upload.sizeBytes !== null) uploads.push(upload);
  }
  return uploads;
}

/** State of an upload on the disk. */
async function uploadAt(folder: string, sha256: string, keepMs: number): Promise<Upload> {
  const nothing = { sha256, sizeBytes: null, receivedBytes: 0, isWhole: false, expiresAtMs: null };
  const names = await namesIn(folder);
  const name = names.includes(WHOLE) ? WHOLE : names.find((one) => one.startsWith(PART));
  if (name === undefined) return nothing;
  const file = await stat(join(folder, name)).catch(ignoring("ENOENT"));
  const used = await stat(folder).catch(ignoring("ENOENT"));
  if (file === undefined || used === undefined) return nothing;
  const isWhole = name === WHOLE;
  const sizeBytes = isWhole ? file.size : Number(name.slice(PART.length));
  const expiresAtMs = Math.round(used.mtimeMs) + keepMs;
  return { sha256, sizeBytes, receivedBytes: file.size, isWhole, expiresAtMs };
}

/** Appends as the bytes come, so that no more than a buffer of them is in memory. */
async function appendTo(
  part: string,
  bytes: AsyncIterable<Uint8Array>,
  { fromByte, sizeBytes, signal }: AppendedRange,
): Promise<void> {
  const file = await open(part, "a", 0o600);
  const pieces = bytes[Symbol.asyncIterator]();
  let position = fromByte;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(pieces.next(), signal);
      if (done) return;
      position += value.length;
      if (position > sizeBytes) throw faults.tooLong(sizeBytes);
      await file.writeFile(value);
    }
  } catch (error) {
    // Not awaited: it would wait for the next piece, which may never come.
    pieces.return?.().catch(() => undefined);
    throw error instanceof Fault ? error : faults.interrupted(error);
  } finally {
    await file.close();
  }
}

interface AppendedRange extends Pick<UploadPiece, "fromByte" | "sizeBytes"> {
  readonly signal: AbortSignal;
}

/** Value of a promise; rejects if the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}

async function hashOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) digest.update(piece);
  return digest.digest("hex");
}

/** A copy of its own mode, once for all jobs. */
async function shareExecutable(
  whole: string,
  { copies, coming, copy, place }: CopyPlaces & { readonly copy: string; readonly place: string },
): Promise<void> {
  const draft = join(coming, randomBytes(8).toString("hex"));
  await copyFile(whole, draft, constants.COPYFILE_FICLONE);
  await chmod(draft, 0o700);
  await shareCopy(draft, join(copies, copy), place);
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(ignoring("ENOENT"));
}
