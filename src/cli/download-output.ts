/**
 * Writes the files of a job into a local directory, each complete or not at all. Names come from a site and
 * are not trusted: only paths within the directory are written. A file is written under a temporary name
 * first; not under one derived from the target's name, because safe files compress names that end in .gz.
 */
import { randomBytes } from "node:crypto";
import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FileView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { openSafeFile } from "../formats/index.ts";
import { isInnerPath } from "../model/index.ts";
import { printable } from "./text-table.ts";

/** Source and target of a download. */
export interface Download {
  /** Directory as the user named it; relative to `startingFrom`. */
  readonly directory: string;
  readonly startingFrom: string;
  readonly isOverwriting: boolean;
  readonly read: (name: string) => AsyncIterable<Uint8Array>;
  /** Called for each file once it is complete. */
  readonly brought: (path: string) => void;
}

/** Downloads all files in order; refuses before the first where one would be overwritten. */
export async function downloadOutput(files: readonly FileView[], download: Download): Promise<void> {
  const { directory, startingFrom, isOverwriting, read, brought } = download;
  for (const { name } of files) if (!isWritable(name)) throw strangeName(name);
  const folder = resolve(startingFrom, directory);
  if (!isOverwriting) await refuseOverwriting(files, folder);
  if (files.length > 0) await makeFolder(folder, directory);
  for (const { name } of files) {
    if (name.includes("/")) await makeFolder(join(folder, dirname(name)), join(directory, dirname(name)));
    await bring(read(name), folder, name);
    brought(join(directory, name));
  }
}

async function bring(bytes: AsyncIterable<Uint8Array>, folder: string, name: string): Promise<void> {
  const temporary = join(folder, `.stint-${randomBytes(6).toString("hex")}.part`);
  const file = await openSafeFile(temporary);
  try {
    for await (const chunk of bytes) {
      file.write(chunk);
      await file.drained();
    }
    await file.commit();
    await rename(temporary, join(folder, name)).catch((error: unknown) => {
      throw notWritable(join(folder, name), error);
    });
  } catch (error) {
    await file.abort();
    await rm(temporary, { force: true });
    throw error;
  }
}

/** True for a path within the directory, on any system. */
function isWritable(name: string): boolean {
  return isInnerPath(name) && !name.includes("\\");
}

async function refuseOverwriting(files: readonly FileView[], folder: string): Promise<void> {
  for (const { name } of files) {
    const path = join(folder, name);
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    throw new Fault({
      kind: "refused",
      code: "fileExists",
      what: `${printable(path)} exists already`,
      why: "existing files are not overwritten without --force, and nothing was downloaded",
      remedy: "name another directory with --to, or overwrite with --force",
    });
  }
}

async function makeFolder(folder: string, directory: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw notWritable(directory, error);
  }
}

function notWritable(path: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "directoryNotWritable",
    what: `cannot write ${printable(path)}`,
    why: reasonOf(cause),
    remedy: "name another directory with --to",
    cause,
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? cause.code : undefined;
  return code === "EEXIST" || code === "ENOTDIR"
    ? "a part of this path is a file, not a directory"
    : cause.message;
}

function strangeName(name: string): Fault {
  return new Fault({
    kind: "failed",
    code: "fileNameStrange",
    what: `the job has a file named "${printable(name)}"`,
    why: "that path is outside the target directory, so nothing was downloaded",
    remedy: "report it to the operator of the broker; stint logs prints single files of the job",
  });
}
