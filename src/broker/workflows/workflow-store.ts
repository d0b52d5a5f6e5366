/**
 * The broker's copies of files that tasks of workflows have written: `WORKFLOW/NUMBER`, and `NUMBER.JOB.part`
 * while a file is fetched from the directory of a job. A file appears under its name only when it is complete
 * and has the checksum that its writer reported, and is on disk before it is recorded. After a restart, the
 * transfer of a part continues from the same copy.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ignoring, namesIn } from "../shared-copies.ts";

/** Size and SHA-256 of a file. */
export interface StoredContent {
  readonly bytes: number;
  readonly checksum: string;
}

/** A file that is to be stored. */
interface ComingFile {
  readonly workflow: string;
  readonly at: number;
  /** Job in whose directory the file is read; another attempt of the writer may have written other bytes. */
  readonly from: string;
  /** SHA-256 that the writer reported; null where it is not known. */
  readonly checksum: string | null;
  /** Most bytes that it may have. */
  readonly mostBytes: number;
  /** Bytes from a place on, none at the end. */
  readonly read: (fromByte: number) => Promise<Uint8Array>;
}

/** Error of a copy at a site that cannot be read or has the wrong content; not of the broker's own disk. */
export class CopyProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CopyProblem";
  }
}

/** Error of a result for which the broker has no room: the results of a workflow have a limit. */
export class ResultTooLarge extends Error {
  constructor() {
    super("the results of its workflow would have more bytes than the broker stores");
    this.name = "ResultTooLarge";
  }
}

/** Files of workflows in a directory of the broker's own. */
export interface WorkflowStore {
  pathOf(workflow: string, at: number): string;
  /**
   * Reads a file to its end and stores it.
   *
   * @throws CopyProblem where it differs from its checksum, ResultTooLarge where it has too many bytes
   */
  fetch(file: ComingFile): Promise<StoredContent>;
  remove(workflow: string, at: number): Promise<void>;
  /** Forgets the files of a workflow. */
  drop(workflow: string): Promise<void>;
  /** Forgets the files of all workflows but these. */
  sweep(isNeeded: (workflow: string) => boolean): Promise<void>;
}

/** Opens the store. */
export function workflowStoreIn(directory: string): WorkflowStore {
  const folderOf = (workflow: string): string => join(directory, workflow);
  const pathOf = (workflow: string, at: number): string => join(folderOf(workflow), String(at));
  const drop = (workflow: string): Promise<void> => rm(folderOf(workflow), { recursive: true, force: true });
  return {
    pathOf,
    drop,
    remove: (workflow, at) => rm(pathOf(workflow, at), { force: true }),
    async fetch({ workflow, at, from, checksum, mostBytes, read }) {
      const place = pathOf(workflow, at);
      const before = await contentOf(place);
      if (before !== undefined && (checksum ?? before.checksum) === before.checksum) return before;
      await mkdir(folderOf(workflow), { recursive: true, mode: 0o700 });
      const part = `${place}.${from}.part`;
      await readToEnd(part, read, mostBytes).catch(async (error: unknown) => {
        if (error instanceof ResultTooLarge) await rm(part, { force: true });
        throw error;
      });
      const content = await contentOf(part);
      if (content === undefined || (checksum ?? content.checksum) !== content.checksum) {
        await rm(part, { force: true });
        throw new CopyProblem("what was read differs from the checksum that its writer reported");
      }
      await rename(part, place);
      await synced(folderOf(workflow), "r", async () => undefined);
      return content;
    },
    async sweep(isNeeded) {
      for (const workflow of await namesIn(directory)) if (!isNeeded(workflow)) await drop(workflow);
    },
  };
}

/** Appends to a part what is not in it yet. */
function readToEnd(part: string, read: ComingFile["read"], mostBytes: number): Promise<void> {
  return synced(part, "a", async (file) => {
    for (let { size } = await file.stat(); ; ) {
      const bytes = await read(size);
      if (bytes.length === 0) return;
      if (size + bytes.length > mostBytes) throw new ResultTooLarge();
      await file.appendFile(bytes);
      size += bytes.length;
    }
  });
}

/** Opens a file or a directory, and forces it to the disk afterwards. */
async function synced(path: string, flags: string, run: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await run(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Size and checksum of a file; undefined where there is none. */
export async function contentOf(path: string): Promise<StoredContent | undefined> {
  const found = await stat(path).catch(ignoring("ENOENT"));
  if (found === undefined) return undefined;
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return { bytes: found.size, checksum: digest.digest("hex") };
}
