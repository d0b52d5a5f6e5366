/**
 * Input files of a job as archives that are unpacked at the site: thousands of small files take a few
 * commands, not one each. Their directories are made there, and the owner's permission to execute is kept.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type TarFile, writeTar } from "../../formats/tar/index.ts";
import type { InputFile } from "../../runtime/index.ts";

/** Bytes and files from which on an archive is complete; each is held in memory once. */
const FULL_BYTES = 8 * 1024 * 1024;
const FULL_FILES = 2000;
const OWNER_MAY_EXECUTE = 0o100;

/**
 * Unpacks an archive from standard input below `work` in the directory `$1`, which is made if it is missing.
 * Archives have no times: files have that of their arrival (`m`).
 */
export const UNPACK = 'mkdir -p -m 0700 -- "$1/work" && cd -P -- "$1/work" && umask 077 && exec tar -xmf -';

/** An archive, and what it has, as text for people. */
export interface InputArchive {
  readonly bytes: Buffer;
  readonly named: string;
}

/** Archives of the files in their order; each is made when the one before it has been used. */
export async function* inputArchives(files: readonly InputFile[]): AsyncGenerator<InputArchive> {
  let entries: TarFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const entry = await entryOf(file);
    entries.push(entry);
    bytes += entry.sizeBytes;
    if (bytes < FULL_BYTES && entries.length < FULL_FILES) continue;
    yield await archiveOf(entries);
    entries = [];
    bytes = 0;
  }
  if (entries.length > 0) yield await archiveOf(entries);
}

async function entryOf({ name, source }: InputFile): Promise<TarFile> {
  const { size, mode } = await stat(source);
  return {
    kind: "file",
    path: name,
    mode: (mode & OWNER_MAY_EXECUTE) === 0 ? 0o600 : 0o700,
    sizeBytes: size,
    content: contentOf(source),
  };
}

async function archiveOf(entries: readonly TarFile[]): Promise<InputArchive> {
  const parts: Uint8Array[] = [];
  for await (const part of writeTar(inOrder(entries))) parts.push(part);
  const others = entries.length - 1;
  const named = `${entries[0]?.path}${others > 0 ? ` and ${others} more` : ""}`;
  return { bytes: Buffer.concat(parts), named };
}

async function* inOrder(entries: readonly TarFile[]): AsyncGenerator<TarFile> {
  yield* entries;
}

/** Content that is opened when it is read: thousands of files are not open at once. */
async function* contentOf(source: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(source);
}
