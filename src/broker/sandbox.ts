/**
 * Input files, copied at submission (rule BR-4).
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../base/index.ts";
import type { InputFile } from "../runtime/index.ts";

/** Private copies of the files that go with jobs. */
export interface Sandboxes {
  /** Copies the files of a job; a file that changes meanwhile is refused, and nothing is kept. */
  keep(job: string, paths: readonly string[]): Promise<void>;
  /** The kept files of a job, as they go to its site. */
  filesOf(job: string, paths: readonly string[]): readonly InputFile[];
  drop(job: string): Promise<void>;
}

/** Sandboxes in a directory of the broker's own. */
export function sandboxesIn(directory: string): Sandboxes {
  const folderOf = (job: string): string => join(directory, job);
  return {
    async keep(job, paths) {
      if (paths.length === 0) return;
      await mkdir(folderOf(job), { recursive: true, mode: 0o700 });
      try {
        for (const path of paths) await copyUnchanged(path, join(folderOf(job), basename(path)));
      } catch (error) {
        await rm(folderOf(job), { recursive: true, force: true });
        throw error;
      }
    },
    filesOf: (job, paths) =>
      paths.map((path) => ({ name: basename(path), source: join(folderOf(job), basename(path)) })),
    drop: (job) => rm(folderOf(job), { recursive: true, force: true }),
  };
}

/** Copies a file and compares it with the original afterwards: they differ if it changed on the way. */
async function copyUnchanged(path: string, copy: string): Promise<void> {
  try {
    await copyFile(path, copy);
    if ((await digestOf(path)) === (await digestOf(copy))) return;
  } catch (error) {
    throw new Fault({
      kind: "badInput",
      code: "sandboxUnreadable",
      what: `${path}: cannot be copied`,
      why: error instanceof Error ? error.message : String(error),
      remedy: "check that the file is there, can be read, and that there is room for its copy",
      cause: error,
    });
  }
  throw new Fault({
    kind: "badInput",
    code: "sandboxChanged",
    what: `${path}: changed while it was copied`,
    why: "the copy and the file are not the same",
    remedy: "submit again when nothing writes to it",
  });
}

async function digestOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
