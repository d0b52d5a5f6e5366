/**
 * `stint restore`: a backup into an empty state directory. Every file is compared with its checksum and the
 * log is verified from its first event to the head that the backup names; else nothing is left.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { Fault } from "../base/index.ts";
import type { Restore } from "../cli/index.ts";
import { readFault } from "../formats/index.ts";
import { readTar, type TarEntry, type TarFile } from "../formats/tar/index.ts";
import { isFinal, JOB_STATES } from "../model/index.ts";
import { VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import { snapshotSqliteLogbook } from "../store/index.ts";
import { ABOUT, type AboutBackup, FORMAT, STATE, SUMS, sumLine, UNFINISHED } from "./backup-files.ts";
import { refuseNetworkFileSystem } from "./local-disk.ts";
import { troubleOfLog } from "./noted-head.ts";
import { type Environment, findStateDirectory } from "./settings.ts";

/** Restores backups into the state directory of this environment. */
export function restoreInto(environment: Environment): Restore {
  return async ({ file, stateDirectory }) => {
    const named = stateDirectory === undefined ? {} : { STINT_STATE_DIR: stateDirectory };
    const directory = await findStateDirectory({ ...environment, ...named });
    refuseNetworkFileSystem(directory);
    const wasThere = await isEmptyDirectory(directory);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(join(directory, UNFINISHED), `${file}\n`, { flag: "wx", mode: 0o600 });
    try {
      const { about, files } = await extract(file, directory);
      const active = await verifyLog(directory, about);
      await rm(join(directory, UNFINISHED));
      const { head, createdAt, host } = about;
      return { directory, files, head, createdAt, host, active };
    } catch (error) {
      const left = wasThere ? (await readdir(directory)).map((name) => join(directory, name)) : [directory];
      for (const path of left) await rm(path, { recursive: true, force: true });
      throw error;
    }
  };
}

/** True if the directory is there and empty, false if it is not there. @throws Fault `stateNotEmpty` */
async function isEmptyDirectory(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw readFault(error, directory);
  });
  if (names !== undefined && names.length > 0) throw notEmpty(directory, names);
  return names !== undefined;
}

interface Extracted {
  readonly about: AboutBackup;
  readonly files: number;
}

/** Writes all files of a backup into the directory, and compares them with their checksums. */
async function extract(file: string, directory: string): Promise<Extracted> {
  const packed = createReadStream(file);
  const unpacked = packed.pipe(createGunzip());
  packed.once("error", (error) => unpacked.destroy(error));
  const sums: string[] = [];
  const links: string[] = [];
  let about: AboutBackup | undefined;
  let expected: string | undefined;
  try {
    for await (const entry of readTar(unpacked)) {
      if (about === undefined) about = aboutIn(entry, await textOf(entry, sums));
      else if (entry.path === SUMS) expected = await textOf(entry, []);
      else await write(entry, { directory, sums, links });
    }
    // What follows the archive has the checksum of gzip.
    for await (const _ of unpacked);
  } catch (error) {
    throw extractFault(error, file);
  }
  if (about === undefined || expected !== sums.map((line) => `${line}\n`).join("")) throw damaged(file);
  return { about, files: sums.length };
}

async function textOf(entry: TarEntry, sums: string[]): Promise<string> {
  if (entry.kind !== "file" || entry.sizeBytes > MOST_TEXT_BYTES) return "";
  const parts: Uint8Array[] = [];
  for await (const part of summed(entry, sums)) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Largest table of checksums that is read: some millions of files. */
const MOST_TEXT_BYTES = 512 * 1024 * 1024;

function aboutIn({ path }: TarEntry, text: string): AboutBackup {
  const about = path === ABOUT ? parsed(text) : undefined;
  if (about === undefined) throw notABackup();
  if (about.stintBackup > FORMAT) throw tooNew(about);
  return about;
}

function parsed(text: string): AboutBackup | undefined {
  try {
    const about: AboutBackup = JSON.parse(text);
    return typeof about.stintBackup === "number" && typeof about.head.seq === "number" ? about : undefined;
  } catch {
    return undefined;
  }
}

interface Target {
  readonly directory: string;
  readonly sums: string[];
  /** Paths of links that were made: nothing is written through one. */
  readonly links: string[];
}

async function write(entry: TarEntry, { directory, sums, links }: Target): Promise<void> {
  const { path } = entry;
  if (!path.startsWith(`${STATE}/`) || links.some((link) => path.startsWith(`${link}/`))) throw notABackup();
  const target = join(directory, path.slice(STATE.length + 1));
  if (entry.kind === "directory") {
    await mkdir(target, { recursive: true, mode: (entry.mode & 0o777) | 0o700 });
    return;
  }
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (entry.kind === "link") {
    await symlink(entry.target, target);
    links.push(path);
    return;
  }
  const handle = await open(target, "wx", entry.mode & 0o777);
  try {
    for await (const chunk of summed(entry, sums)) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* summed(entry: TarFile, sums: string[]): AsyncIterable<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of entry.content) {
    hash.update(chunk);
    yield chunk;
  }
  sums.push(sumLine(hash.digest("hex"), entry.path));
}

/** Verifies the restored log. @returns number of active jobs in it */
async function verifyLog(directory: string, { head }: AboutBackup): Promise<number | null> {
  const logbook = await snapshotSqliteLogbook({
    ...{ directory: join(directory, "log"), views: VIEWS, projection: VIEWS_VERSION },
  });
  try {
    const found = await logbook.head();
    const trouble =
      found.seq === head.seq ? await troubleOfLog(logbook, head) : `it ends at event ${found.seq}`;
    if (trouble !== undefined) throw otherLog(trouble);
    if (logbook.viewsNeedRebuild) return null;
    const oneOf = JOB_STATES.filter((state) => !isFinal(state));
    let count = 0;
    let after: string | undefined;
    do {
      const page = await logbook.rows("jobs", {
        where: { state: { oneOf } },
        limit: 1000,
        ...(after !== undefined && { after }),
      });
      count += page.rows.length;
      after = page.next;
    } while (after !== undefined);
    return count;
  } finally {
    logbook.close();
  }
}

const AGAIN = "copy it again from where it was made, or restore an older backup; nothing was restored";

function extractFault(error: unknown, file: string): Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "archiveTruncated" || code === "Z_BUF_ERROR") {
    return new Fault({
      kind: "badInput",
      code: "backupTruncated",
      what: `the backup ${file} is not complete`,
      why: "it is truncated: the copy was interrupted, or the disk was full",
      remedy: AGAIN,
      cause: error,
    });
  }
  if (code === "archiveDamaged" || code.startsWith("Z_")) return damaged(file, error);
  return error instanceof Fault ? error : readFault(error, file);
}

function damaged(file: string, cause?: unknown): Fault {
  return new Fault({
    kind: "badInput",
    code: "backupDamaged",
    what: `the backup ${file} is damaged, or is not a backup`,
    why: "its content does not match its checksums",
    remedy: AGAIN,
    cause,
  });
}

function notABackup(): Fault {
  return new Fault({
    kind: "badInput",
    code: "notABackup",
    what: "this file is not a backup",
    why: "stint backup did not write it",
    remedy: "name a file that stint backup made",
  });
}

function tooNew({ stint }: AboutBackup): Fault {
  return new Fault({
    kind: "refused",
    code: "backupTooNew",
    what: "the backup cannot be restored by this version",
    why: `it was written by stint ${stint}, in a format that this version does not support`,
    remedy: `install stint ${stint}, or a newer one`,
  });
}

function otherLog(trouble: string): Fault {
  return new Fault({
    kind: "failed",
    code: "backupDamaged",
    what: "the log in the backup is not the one that was backed up",
    why: trouble,
    remedy: AGAIN,
  });
}

function notEmpty(directory: string, names: readonly string[]): Fault {
  const isHalf = names.includes(UNFINISHED);
  return new Fault({
    kind: "refused",
    code: "stateNotEmpty",
    what: `nothing was restored into ${directory}`,
    why: isHalf ? "an earlier restore into it was interrupted" : "it already contains a broker's state",
    remedy: isHalf
      ? `empty it (rm -r ${directory}) and restore again`
      : "name an empty directory with --state-dir, or move this one away",
  });
}
