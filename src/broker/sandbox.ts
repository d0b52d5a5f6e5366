/**
 * Input files, copied at submission, or uploaded before (rules BR-13, BR-220).
 *
 * A copy is stored once by its content, for any number of jobs: `copies/HASH`, and for each job that needs it
 * a hard link `jobs/JOB/HASH/NAME`, so that the number of links shows when it is no longer needed. What its
 * owner may execute is a copy of its own, `HASH.x`, since all links to a file have one mode. Bytes are copied
 * in pieces.
 */
import { createHash, randomBytes } from "node:crypto";
import { constants, existsSync, readdirSync, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault, formatSize, messageOf } from "../base/index.ts";
import { sandboxName, uploadNamed, workflowInputNamed } from "../model/index.ts";
import type { InputFile, Uploads } from "../runtime/index.ts";
import { type GivenStates, givenStatesIn } from "./checkpoints/given-states.ts";
import { EXECUTABLE, forgetUnused, hasCode, namesIn, shareCopy } from "./shared-copies.ts";
import { type UploadLimits, uploadsIn } from "./uploads/uploads.ts";
import { type WorkflowStore, workflowStoreIn } from "./workflows/workflow-store.ts";

/** Default limit of the input files of one job, in bytes. */
const MOST_BYTES = 8 * 1024 ** 3;

const OWNER_MAY_EXECUTE = 0o100;

/** Private copies of the files that go with jobs. */
export interface Sandboxes {
  /**
   * Copies the files of a job; if one changes meanwhile, all are refused and nothing is stored.
   *
   * @returns how many bytes they have in all
   */
  keep(job: string, paths: readonly string[], by?: NamedBy): Promise<number>;
  /** Hashes of the stored files of a job by name. */
  hashesOf(job: string): Readonly<Record<string, string>>;
  /** Stored files of a job, as sent to its site. */
  filesOf(job: string, paths: readonly string[]): readonly InputFile[];
  /** Forgets the files of a job. */
  drop(job: string): Promise<void>;
  /** Forgets the files of all jobs whose ids begin so. */
  dropBeginning(prefix: string): Promise<void>;
  /** States with which attempts of jobs begin. */
  readonly given: GivenStates;
  /** Files that tasks of workflows have written. */
  readonly workflows: WorkflowStore;
  /** Content that clients sent before the jobs that name it. */
  readonly uploads: Uploads;
  /** Forgets the files and states of all jobs but these, and what was left half-done. */
  sweep(isNeeded: (job: string) => boolean): Promise<void>;
}

/** Limits of copying. */
export interface SandboxLimits extends InputRights {
  /** Most bytes of one job's input files; 8 GiB where absent. */
  readonly mostBytes?: number;
  readonly uploads?: UploadLimits;
}

/** Sandboxes in a directory of the broker's own. */
export function sandboxesIn(directory: string, limits: SandboxLimits = {}): Sandboxes {
  const { mostBytes = MOST_BYTES } = limits;
  const places = { copies: join(directory, "copies"), coming: join(directory, "coming") };
  const jobs = join(directory, "jobs");
  const given = givenStatesIn(join(directory, "states"));
  const workflows = workflowStoreIn(join(directory, "workflows"));
  const uploads = uploadsIn(join(directory, "uploads"), places, { mostBytes, ...limits.uploads });
  const folderOf = (job: string): string => join(jobs, job);
  async function drop(job: string): Promise<void> {
    const copies = await namesIn(folderOf(job));
    await rm(folderOf(job), { recursive: true, force: true });
    for (const copy of copies) await forgetUnused(join(places.copies, copy));
  }
  async function keepOne(job: string, path: string, room: Room): Promise<number> {
    const upload = uploadNamed(path);
    if (upload !== undefined) {
      const bytes = await uploads.give({ ...upload, owner: room.by.owner }, folderOf(job));
      if (bytes > room.leftBytes) throw tooLarge(upload.name, room.mostBytes);
      return bytes;
    }
    const { draft, name, bytes } = await takeDraft(path, places.coming, room);
    const place = join(folderOf(job), name, sandboxName(path));
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await shareCopy(draft, join(places.copies, name), place);
    return bytes;
  }
  return {
    async keep(job, paths, by = {}) {
      if (paths.length === 0) return 0;
      for (const folder of Object.values(places)) await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        let leftBytes = mostBytes;
        const { ofJob } = by;
        const ofStored = ofJob === undefined ? {} : { limits: { tokenRoot: folderOf(ofJob) } };
        const rights = { limits, ...ofStored, by: { ...by, isByToken: by.isByToken ?? ofJob !== undefined } };
        for (const path of paths) leftBytes -= await keepOne(job, path, { leftBytes, mostBytes, ...rights });
        return mostBytes - leftBytes;
      } catch (error) {
        await drop(job);
        throw error;
      }
    },
    hashesOf: (job) => hashesIn(folderOf(job)),
    filesOf: (job, paths) => filesNamed(paths, job, { folderOf, workflows }),
    drop,
    given,
    workflows,
    uploads,
    async dropBeginning(prefix) {
      for (const job of await namesIn(jobs)) if (job.startsWith(prefix)) await drop(job);
    },
    async sweep(isNeeded) {
      for (const job of await namesIn(jobs)) if (!isNeeded(job)) await drop(job);
      await given.sweep(isNeeded);
      await workflows.sweep(isNeeded);
      await uploads.expire();
      await rm(places.coming, { recursive: true, force: true });
      for (const name of await namesIn(places.copies)) await forgetUnused(join(places.copies, name));
    },
  };
}

interface StoredPlaces {
  readonly folderOf: (job: string) => string;
  readonly workflows: WorkflowStore;
}

/** Stored files by the paths of an input sandbox; a workflow's own inputs are kept as those of jobs are. */
function filesNamed(
  paths: readonly string[],
  job: string,
  { folderOf, workflows }: StoredPlaces,
): readonly InputFile[] {
  const read = new Map<string, Map<string, string>>();
  const keptOf = (id: string): Map<string, string> => {
    const kept = read.get(id) ?? keptFiles(folderOf(id));
    read.set(id, kept);
    return kept;
  };
  return paths.map((path) => {
    const named = workflowInputNamed(path);
    if (named === undefined) {
      return { name: sandboxName(path), source: keptOf(job).get(sandboxName(path)) ?? path };
    }
    const written = workflows.pathOf(named.workflow, named.at);
    const kept = existsSync(written) ? undefined : keptOf(named.workflow).get(named.name);
    return { name: named.name, source: kept ?? written };
  });
}

function hashesIn(folder: string): Readonly<Record<string, string>> {
  const hashes = [...keptFiles(folder)].map(([name, file]) => [
    name,
    relative(folder, file).split(sep)[0].replace(EXECUTABLE, ""),
  ]);
  return Object.fromEntries(hashes);
}

/** Stored files of a job by name. */
function keptFiles(folder: string): Map<string, string> {
  const kept = new Map<string, string>();
  if (!existsSync(folder)) return kept;
  for (const copy of readdirSync(folder)) {
    const within = join(folder, copy);
    for (const entry of readdirSync(within, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      kept.set(relative(within, file), file);
    }
  }
  return kept;
}

interface Room {
  readonly leftBytes: number;
  readonly mostBytes: number;
  readonly limits: InputRights;
  readonly by: NamedBy;
}

/** Copies and hashes a file. The copy is the file at one moment, or refused. */
async function takeDraft(path: string, coming: string, room: Room) {
  permitName(path, room.limits, room.by);
  const file = await openRegular(path);
  const draft = join(coming, randomBytes(8).toString("hex"));
  try {
    const before = await file.stat();
    await permitOpened(path, before, room.limits, room.by);
    if (before.size > room.leftBytes) throw tooLarge(path, room.mostBytes);
    const isExecutable = (before.mode & OWNER_MAY_EXECUTE) !== 0;
    const { bytes, hash } = await copyThrough(file, draft, { sizeBytes: before.size, isExecutable });
    if (bytes !== before.size || !isSameMoment(before, await stat(path))) throw changed(path);
    return { draft, name: isExecutable ? `${hash}${EXECUTABLE}` : hash, bytes };
  } catch (error) {
    await rm(draft, { force: true });
    throw error instanceof Fault ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
}

/** Only a regular file has one content; a pipe would keep us waiting, and a link leads who knows where. */
async function openRegular(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    throw hasCode(error, "ELOOP") ? notRegular(path, "a symbolic link") : unreadable(path, error);
  });
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw notRegular(path, found.isDirectory() ? "a directory" : "a device or a pipe");
}

/** Bytes beyond the initial size of the file are not copied: the number of bytes shows them. */
async function copyThrough(
  file: FileHandle,
  draft: string,
  { sizeBytes, isExecutable }: { readonly sizeBytes: number; readonly isExecutable: boolean },
) {
  const digest = createHash("sha256");
  let bytes = 0;
  const counting = new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      digest.update(piece);
      done(null, piece);
    },
  });
  const to = await open(draft, "wx", isExecutable ? 0o700 : 0o600);
  // One byte more than there should be: a file that grew is seen, one that grows for ever is not followed.
  const from = file.createReadStream({ autoClose: false, start: 0, end: sizeBytes });
  await pipeline(from, counting, to.createWriteStream());
  return { bytes, hash: digest.digest("hex") };
}

function isSameMoment(before: Stats, after: Stats): boolean {
  return before.ino === after.ino && before.size === after.size && before.mtimeMs === after.mtimeMs;
}

function unreadable(path: string, error: unknown): Fault {
  return new Fault({
    kind: "badInput",
    code: "sandboxUnreadable",
    what: `${path}: cannot be copied`,
    why: hasCode(error, "ENOENT") ? "there is no such file" : messageOf(error),
    remedy: "check that the file exists and is readable, and that there is space for its copy",
    cause: error,
  });
}

function notRegular(path: string, isWhat: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "sandboxNotRegular",
    what: `${path}: cannot be sent with the job`,
    why: `it is ${isWhat}`,
    remedy: "name a regular file; pack a directory into an archive",
  });
}

function tooLarge(path: string, mostBytes: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "sandboxTooLarge",
    what: `${path}: is too large to be sent with the job`,
    why: `the files of one job may have ${formatSize(mostBytes)} in total`,
    remedy: "let the job fetch its data itself",
  });
}

function changed(path: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "sandboxChanged",
    what: `${path}: changed during the copy`,
    why: "the copy and the file differ",
    remedy: "submit again when no program is writing to it",
  });
}

// Which files somebody may send along with a job.
//
// The broker opens them with its own account, so the question is whose account that is to the caller. The
// owner of the socket has the same one. A token says nothing of accounts: it opens what lies below one
// directory that the configuration names. The broker's own files (tokens, log, other people's jobs) go
// with no job.

/** Directories, absolute. */
interface InputRights {
  /** The broker's own directory, in which no input file may be. */
  readonly ownDirectory?: string | undefined;
  /** Directory in which users with tokens may name files; absent: none. */
  readonly tokenRoot?: string | undefined;
}

/** Identity that names the files. */
interface NamedBy {
  /** Owner of the referenced uploads. */
  readonly owner?: string | undefined;
  /** True if the files are named by the holder of a token, and not by the owner of the broker's socket. */
  readonly isByToken?: boolean | undefined;
  /** Job whose stored files these are: they alone may be named, although they are the broker's own. */
  readonly ofJob?: string | undefined;
}

/** Refuses what a token may not even look for. @throws Fault `inputNotAllowed` */
function permitName(path: string, { tokenRoot }: InputRights, { isByToken }: NamedBy): void {
  if (isByToken !== true) return;
  if (tokenRoot === undefined) throw noRoot(path);
  if (!isIn(resolve(path), resolve(tokenRoot))) throw outside(path, tokenRoot);
}

/** Refuses a file that was opened, by where it really is. @throws Fault `inputNotAllowed` */
async function permitOpened(
  path: string,
  opened: Stats,
  { ownDirectory, tokenRoot }: InputRights,
  { isByToken }: NamedBy,
): Promise<void> {
  const place = await realpath(path);
  const there = await stat(place);
  const isSame = there.ino === opened.ino && there.dev === opened.dev;
  const isOwn = ownDirectory !== undefined && isIn(place, await realpath(ownDirectory));
  if (!isSame || isOwn) throw brokersOwn(path);
  if (isByToken !== true || tokenRoot === undefined) return;
  if (!isIn(place, await realpath(tokenRoot))) throw outside(path, tokenRoot);
}

function isIn(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function brokersOwn(path: string): Fault {
  return notAllowed(
    path,
    "it is one of the broker's own files, or was exchanged while it was opened",
    "copy what is needed to a directory of your own (stint output fetches what a job wrote)",
  );
}

function noRoot(path: string): Fault {
  return notAllowed(
    path,
    "you are known by a token, and this broker has no directory for the input files of tokens",
    "upload it (stint submit --upload), or ask whoever runs the broker for server.inputs in stint.yaml",
  );
}

function outside(path: string, tokenRoot: string): Fault {
  return notAllowed(
    path,
    `you are known by a token, and files for tokens are those in ${tokenRoot}`,
    "upload it (stint submit --upload), or put it there",
  );
}

function notAllowed(path: string, why: string, remedy: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "inputNotAllowed",
    what: `${path}: cannot be sent with the job`,
    why,
    remedy,
  });
}
