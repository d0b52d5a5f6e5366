/**
 * States with which attempts begin, as the broker keeps them until their jobs are over:
 *
 *     JOB/ATTEMPT/name  files/…     the state of an attempt; 0: that with which the job begins
 *
 * A state is written beside the others and renamed when it is whole.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCheckpoints, inputsOf, type JobRecord } from "../../model/index.ts";
import type { InputFile } from "../../runtime/index.ts";
import { GIVEN_FOLDER } from "./layout.ts";

/** A state as it is read, file by file. */
export interface StateContent {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly bytes: () => AsyncIterable<Uint8Array> }[];
}

/** Kept states. */
export interface GivenStates {
  /** Keeps a state for an attempt, in the place of those of earlier ones; all of it or nothing. */
  keep(job: string, attempt: number, content: StateContent): Promise<void>;
  /** The attempt up to this one for which a state was kept last; undefined where there is none. */
  newest(job: string, attempt: number): number | undefined;
  /** Files of a kept state, as they are sent with the job. */
  filesOf(job: string, attempt: number): readonly InputFile[];
  drop(job: string): Promise<void>;
  /** Forgets the states of all jobs but these, and what was left half-done. */
  sweep(isNeeded: (job: string) => boolean): Promise<void>;
}

/** Folder of states that are being written; no id of a job begins so. */
const DRAFTS = ".coming";

/** States in a directory of the broker's own. */
export function givenStatesIn(directory: string): GivenStates {
  const placeOf = (job: string, attempt: number): string => join(directory, job, String(attempt));
  const drafts = join(directory, DRAFTS);
  return {
    async keep(job, attempt, { name, files }) {
      const draft = join(drafts, randomBytes(8).toString("hex"));
      try {
        await mkdir(draft, { recursive: true, mode: 0o700 });
        for (const { path, bytes } of files) await write(join(draft, "files", path), bytes());
        await writeFile(join(draft, "name"), `${name}\n`, { mode: 0o600 });
        await mkdir(join(directory, job), { recursive: true, mode: 0o700 });
        await rm(placeOf(job, attempt), { recursive: true, force: true });
        await rename(draft, placeOf(job, attempt));
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      for (const earlier of await readdir(join(directory, job))) {
        if (Number(earlier) < attempt) await rm(join(directory, job, earlier), { recursive: true });
      }
    },
    newest(job, attempt) {
      const place = join(directory, job);
      const kept = existsSync(place) ? readdirSync(place).map(Number) : [];
      return kept.filter((one) => one <= attempt).sort((a, b) => b - a)[0];
    },
    filesOf(job, attempt) {
      const place = placeOf(job, attempt);
      const found = readdirSync(place, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      return found.map(({ parentPath, name }) => {
        const source = join(parentPath, name);
        return { name: `${GIVEN_FOLDER}${source.slice(place.length)}`, source };
      });
    },
    drop: (job) => rm(join(directory, job), { recursive: true, force: true }),
    async sweep(isNeeded) {
      await rm(drafts, { recursive: true, force: true });
      const jobs = existsSync(directory) ? await readdir(directory) : [];
      for (const job of jobs) if (!isNeeded(job)) await rm(join(directory, job), { recursive: true });
    },
  };
}

async function write(place: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const file = await open(place, "wx", 0o600);
  try {
    for await (const part of bytes) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Files of the state with which an attempt begins; none where it begins anew. */
export function givenFiles(given: GivenStates, job: JobRecord): readonly InputFile[] {
  if (!hasCheckpoints(job.description)) return [];
  const own = given.newest(job.id, job.attempt);
  if (own !== undefined) return given.filesOf(job.id, own);
  const whole = inputsOf(job);
  return given.newest(whole, 0) === undefined ? [] : given.filesOf(whole, 0);
}
