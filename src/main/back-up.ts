/**
 * `stint backup`: the state directory of a broker in one file, a tar archive packed by gzip, also while the
 * broker runs.
 *
 * The databases are copied first, each as of one moment, and the log is verified. The files of jobs follow
 * as they are then: they may be newer than the log, which is the order in which a broker that was killed
 * finds them, too. So a restored broker knows what to do with them.
 */
import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdtemp, open, readdir, readlink, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Fault } from "../base/index.ts";
import { systemClock } from "../broker/index.ts";
import type { BackUp } from "../cli/index.ts";
import { openSafeFile, type SafeFile } from "../formats/index.ts";
import { type TarEntry, type TarFile, writeTar } from "../formats/tar/index.ts";
import { type Receipt, VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import { copyDatabases, snapshotSqliteLogbook } from "../store/index.ts";
import { ABOUT, type AboutBackup, FORMAT, STATE, SUMS, sumLine } from "./backup-files.ts";
import { headText, troubleOfLog } from "./noted-head.ts";
import { type Environment, findStateDirectory } from "./settings.ts";
import { readVersion } from "./version.ts";

/** Paths that are not copied: copies of the databases replace `log`, and the log's head is theirs. */
const LEFT_OUT = new Set(["log", "log.head", "site/trash", "site/staging"]);

const CHUNK_BYTES = 256 * 1024;

/** Makes backups of the broker of this environment. */
export function backUpOf(environment: Environment): BackUp {
  return async ({ file, stateDirectory, isReplacing }) => {
    const named = stateDirectory === undefined ? {} : { STINT_STATE_DIR: stateDirectory };
    const directory = await findStateDirectory({ ...environment, ...named });
    const target = resolve(file);
    if (!isReplacing && existsSync(target) && (await lstat(target)).isFile()) throw fileExists(file);
    if (!existsSync(join(directory, "log"))) throw noState(directory);
    const output = await openSafeFile(target, { mode: 0o600, isPacked: true });
    const copies = await copiesBeside(target);
    try {
      await copyDatabases(join(directory, "log"), join(copies, "log"));
      const head = await verifiedHead(join(copies, "log"));
      const { files } = await writeAll(output, { directory, copies, head });
      await output.commit();
      return { files, head, sizeBytes: (await lstat(target)).size };
    } catch (error) {
      await output.abort();
      throw error;
    } finally {
      await rm(copies, { recursive: true, force: true });
    }
  };
}

/** Folder for the copies of databases: on the disk of the backup, or for a pipe the usual one. */
async function copiesBeside(target: string): Promise<string> {
  const folder = target.startsWith("/dev/") ? "/tmp" : dirname(target);
  return await mkdtemp(join(folder, `.${basename(target).slice(0, 50)}.stint-`));
}

async function verifiedHead(log: string): Promise<Receipt> {
  const logbook = await snapshotSqliteLogbook({ directory: log, views: VIEWS, projection: VIEWS_VERSION });
  try {
    const trouble = await troubleOfLog(logbook, undefined);
    if (trouble !== undefined) throw logAltered(trouble);
    return await logbook.head();
  } finally {
    logbook.close();
  }
}

interface Sources {
  readonly directory: string;
  readonly copies: string;
  readonly head: Receipt;
}

async function writeAll(output: SafeFile, sources: Sources): Promise<{ readonly files: number }> {
  const sums: string[] = [];
  for await (const chunk of writeTar(entriesOf(sources, sums))) {
    output.write(chunk);
    await output.drained();
  }
  return { files: sums.length };
}

async function* entriesOf({ directory, copies, head }: Sources, sums: string[]): AsyncIterable<TarEntry> {
  const about: AboutBackup = {
    stintBackup: FORMAT,
    stint: readVersion(),
    createdAt: new Date(systemClock.nowMs()).toISOString(),
    ...{ host: hostname(), stateDirectory: directory, head },
  };
  const summed = (entry: TarEntry): TarEntry => withSum(entry, sums);
  yield summed(textFile(ABOUT, `${JSON.stringify(about, undefined, 2)}\n`));
  for await (const entry of filesBelow(copies, new Set())) yield summed(below(STATE, entry));
  yield summed(textFile(`${STATE}/log.head`, headText(head)));
  for await (const entry of filesBelow(directory, LEFT_OUT)) yield summed(below(STATE, entry));
  yield textFile(SUMS, sums.map((line) => `${line}\n`).join(""));
}

function below(folder: string, entry: TarEntry): TarEntry {
  return { ...entry, path: `${folder}/${entry.path}` };
}

function textFile(path: string, text: string): TarEntry {
  const bytes = Buffer.from(text);
  return { kind: "file", path, mode: 0o600, sizeBytes: bytes.length, content: only(bytes) };
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Entries of a folder; what vanishes meanwhile is left out, and so are sockets and the like. */
async function* filesBelow(root: string, leftOut: ReadonlySet<string>, folder = ""): AsyncIterable<TarEntry> {
  const names = (await readdir(join(root, folder)).catch(noneIfGone)) ?? [];
  for (const name of names.sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const found = leftOut.has(path) ? undefined : await lstat(join(root, path)).catch(noneIfGone);
    if (found === undefined) continue;
    if (found.isDirectory()) {
      yield { kind: "directory", path, mode: found.mode };
      yield* filesBelow(root, leftOut, path);
    } else if (found.isSymbolicLink()) {
      const target = await readlink(join(root, path)).catch(noneIfGone);
      if (target !== undefined) yield { kind: "link", path, target };
    } else if (found.isFile()) {
      const entry = await openEntry(join(root, path), path);
      if (entry !== undefined) yield entry;
    }
  }
}

async function openEntry(file: string, path: string): Promise<TarEntry | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(noneIfGone);
  if (handle === undefined) return undefined;
  const { size: sizeBytes, mode } = await handle.stat();
  return { kind: "file", path, mode, sizeBytes, content: contentOf(handle, sizeBytes) };
}

/** Bytes of a file that may grow or shrink meanwhile: exactly so many, the missing ones zero, as tar does. */
async function* contentOf(handle: FileHandle, sizeBytes: number): AsyncIterable<Uint8Array> {
  try {
    for (let at = 0; at < sizeBytes; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, sizeBytes - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      const taken = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
      at += taken.length;
      yield taken;
    }
  } finally {
    await handle.close();
  }
}

/** The entry, whose checksum is noted when its content has been read. */
function withSum(entry: TarEntry, sums: string[]): TarEntry {
  if (entry.kind !== "file") return entry;
  async function* content(): AsyncIterable<Uint8Array> {
    const hash = createHash("sha256");
    for await (const chunk of (entry as TarFile).content) {
      hash.update(chunk);
      yield chunk;
    }
    sums.push(sumLine(hash.digest("hex"), entry.path));
  }
  return { ...entry, content: content() };
}

function noneIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ELOOP") throw error;
}

function fileExists(file: string): Fault {
  return new Fault({
    kind: "refused",
    code: "fileExists",
    what: `no backup was made into ${file}`,
    why: "there is a file of that name",
    remedy: "name another file, or replace this one with --force",
  });
}

function noState(directory: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noLog",
    what: `there is nothing to back up in ${directory}`,
    why: "it has no log: no broker has run on this state directory",
    remedy: "name the state directory of the broker with --state-dir or STINT_STATE_DIR",
  });
}

function logAltered(trouble: string): Fault {
  return new Fault({
    kind: "failed",
    code: "logAltered",
    what: "no backup was made: the log differs from what was written",
    why: trouble,
    remedy: "see stint doctor; keep a copy of the state directory, and the last backup before this",
  });
}
