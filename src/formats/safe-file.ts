/**
 * Writes a file so that nothing half-written is ever left under its name.
 *
 * The text goes to `.NAME.stint-PID-random.tmp` beside the target, is forced to the disk and then renamed
 * over it. A name that ends in .gz is packed on the way; node's gzip header carries no date, so that the
 * same text gives the same bytes. What is not a regular file (/dev/null, /dev/stdout, a FIFO) is written
 * directly. Memory: what was written since the last `drained`.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { unlinkSync } from "node:fs";
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { assert } from "../base/index.ts";
import { directoryFault, writeFault } from "./file-fault.ts";

/** A file that is being written. End it with `commit` or `abort`. */
export interface SafeFile {
  /** Name as given by the caller. */
  readonly path: string;
  /** Takes text or bytes; what goes wrong is thrown by the next `drained` or `commit`. */
  write(chunk: string | Uint8Array): void;
  /** Waits until more may be written without piling it up; await it every so often. */
  drained(): Promise<void>;
  /** Makes the file appear under its name, whole. On a fault nothing is left. */
  commit(): Promise<void>;
  /** Gives up: nothing is left, a file of that name stays as it was. Does nothing after the end. */
  abort(): Promise<void>;
}

/** Options of writing a file. */
export interface SafeFileOptions {
  /** Permissions of a new file, less the umask; default 0666. */
  readonly mode?: number;
  /** True: packed by gzip; default: where the name ends in .gz. */
  readonly isPacked?: boolean;
}

interface Target {
  /** Path of the open file: the temporary one, or a target that is no regular file. */
  readonly written: string;
  /** Where the temporary file goes in the end; absent when written directly. */
  readonly final?: string;
  /** Permissions of the replaced file; a new file gets 0666 less the umask. */
  readonly mode?: number;
}

/** Temporary files of this process that are neither committed nor aborted. */
const openTemporaries = new Set<string>();
let cleansUpAtExit = false;

/**
 * Removes the temporary files of all open safe files at once, for the moment of dying by a signal.
 *
 * Synchronous, and never throws; the safe files must not be used afterwards.
 */
export function abortOpenFiles(): void {
  for (const temporary of openTemporaries) {
    try {
      unlinkSync(temporary);
    } catch {
      // Already gone: that is what was wanted.
    }
  }
  openTemporaries.clear();
}

/**
 * Opens `path` for safe writing.
 *
 * @throws Fault here or later: `directoryNotFound`, `fileNotWritable`, `isDirectory`, `badFileName`,
 * `diskFull`, `outputClosed`, `writeFailed`.
 */
export async function openSafeFile(path: string, options: SafeFileOptions = {}): Promise<SafeFile> {
  const { mode = 0o666, isPacked = path.endsWith(".gz") } = options;
  const target = await resolveTarget(path);
  let handle: FileHandle;
  try {
    handle = await open(target.written, target.final === undefined ? "a" : "wx", mode);
  } catch (error) {
    throw writeFault(error, path);
  }
  if (target.final !== undefined) remember(target.written);
  if (target.mode !== undefined) await handle.chmod(target.mode).catch(() => undefined);
  return safeFile(path, target, { handle, isPacked });
}

/** Writes `text` to `path` in one go, safely; faults as {@link openSafeFile}. */
export async function writeSafeFile(path: string, text: string | Uint8Array): Promise<void> {
  const file = await openSafeFile(path);
  file.write(text);
  await file.commit();
}

function safeFile(
  path: string,
  target: Target,
  { handle, isPacked }: { readonly handle: FileHandle; readonly isPacked: boolean },
): SafeFile {
  const output = handle.createWriteStream({ autoClose: false });
  const gzip = isPacked ? createGzip() : undefined;
  const input: Writable = gzip ?? output;
  let hasEnded = false;
  let failure: unknown;
  const written = (gzip === undefined ? finished(output) : pipeline(gzip, output)).catch((error) => {
    failure = error;
  });

  async function giveUp(): Promise<void> {
    hasEnded = true;
    input.destroy();
    output.destroy();
    await written;
    await handle.close().catch(() => undefined);
    if (target.final !== undefined) await rm(target.written, { force: true }).catch(() => undefined);
    openTemporaries.delete(target.written);
  }

  async function commit(): Promise<void> {
    assert(!hasEnded, "a file is committed or aborted once");
    hasEnded = true;
    try {
      input.end();
      await written;
      if (failure !== undefined) throw failure;
      if (target.final !== undefined) await handle.sync();
      // The stream holds on to the handle until it is destroyed; closing would wait for that for ever.
      output.destroy();
      await handle.close();
      if (target.final !== undefined) await rename(target.written, target.final);
      openTemporaries.delete(target.written);
    } catch (error) {
      await giveUp();
      throw writeFault(error, path);
    }
  }

  return {
    path,
    write(chunk) {
      assert(!hasEnded, "nothing is written after commit or abort");
      if (failure === undefined) input.write(chunk);
    },
    async drained() {
      if (failure === undefined && input.writableNeedDrain) {
        await Promise.race([once(input, "drain").catch(() => undefined), written]);
      }
      if (failure !== undefined) throw writeFault(failure, path);
    },
    commit,
    abort: async () => (hasEnded ? undefined : giveUp()),
  };
}

/** From now on the temporary file vanishes even when the process ends without commit or abort. */
function remember(temporary: string): void {
  openTemporaries.add(temporary);
  if (cleansUpAtExit) return;
  cleansUpAtExit = true;
  process.once("exit", abortOpenFiles);
}

async function resolveTarget(path: string): Promise<Target> {
  if (path === "" || path.endsWith("/")) throw directoryFault(path);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw directoryFault(path);
    if (!found.isFile() || standardStream.test(resolve(path))) return { written: path };
    const real = await realpath(path);
    await access(real, constants.W_OK);
    return { written: temporaryBeside(real), final: real, mode: found.mode & 0o777 };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw writeFault(error, path);
    return { written: temporaryBeside(path), final: path };
  }
}

/** Names of files that are already open: renaming over them would not reach their readers. */
const standardStream = /^\/(dev\/(stdout|stderr|fd\/)|proc\/)/;

/** Short whatever the target's name, which may itself be as long as the system allows. */
function temporaryBeside(path: string): string {
  const name = basename(path).slice(0, 50);
  const random = randomBytes(6).toString("hex");
  return join(dirname(path), `.${name}.stint-${process.pid}-${random}.tmp`);
}
