/**
 * Files of workflows: which tasks have all their inputs, and which files the broker has to move.
 *
 * A file that a task has written stays in the directory of the pilot that ran it. Pilots at the same site
 * read it there; for another site, for a task in the queue, and for the user the broker fetches it.
 */
import type {
  FileCopy,
  PlannedFile,
  WorkflowFile,
  WorkflowRecord,
  WorkflowTask,
} from "../../../model/index.ts";
import type { Projection } from "../../state/projection.ts";
import { type TaskChanges, tasksOf } from "./task-changes.ts";

type Books = Pick<Projection, "books">;

/** All files of a workflow, by their number. */
export function filesOf({ books }: Books, { id, files = 0 }: WorkflowRecord): readonly WorkflowFile[] {
  return Array.from({ length: files }, (_, at) => books.workflowFiles.get(`${id}/${at}`)).filter(
    (file) => file !== undefined,
  );
}

/** The files of a workflow that begins. */
export function newFiles(
  workflow: string,
  files: readonly PlannedFile[],
  tasks: readonly Pick<WorkflowTask, "reads">[],
): readonly WorkflowFile[] {
  const readers = files.map((): number[] => []);
  for (const [task, { reads = [] }] of tasks.entries()) for (const at of reads) readers[at].push(task);
  return files.map((file, at) => ({
    ...{ ...file, workflow, at, readers: readers[at], isStored: file.writer === null, copies: [] },
  }));
}

/** The site at which a task has a place; null without one. */
function siteOf({ place }: WorkflowTask, { pilots }: WorkflowRecord): string | null {
  return place === null ? null : pilots[place.pilot].site;
}

/** True where all files that a task reads are at its site or, without a place, at the broker. */
export function hasInputs(
  task: WorkflowTask,
  files: readonly WorkflowFile[],
  record: WorkflowRecord,
): boolean {
  const site = siteOf(task, record);
  return (task.reads ?? []).every((at) => (site === null ? files[at].isStored : isAt(files[at], site)));
}

function isAt({ copies }: WorkflowFile, site: string): boolean {
  return copies.some((copy) => copy.site === site);
}

/** Transfers and removals that are due for the files of a workflow. */
interface DueMoves {
  readonly fetch: readonly WorkflowFile[];
  readonly send: readonly { readonly file: WorkflowFile; readonly pilot: number }[];
  readonly remove: readonly WorkflowFile[];
}

/** Moves that are due, those for the earliest planned starts first. */
export function dueMoves(projection: Projection, workflow: string): DueMoves {
  const record = projection.books.workflows.get(workflow);
  const isLive = record?.state === "RUNNING" || record?.state === "DONE";
  if (record === undefined || !isLive) return { fetch: [], send: [], remove: [] };
  const tasks = tasksOf(projection, record);
  const files = filesOf(projection, record).filter(
    ({ writer }) => writer === null || tasks[writer].state === "DONE",
  );
  const isUnfinished = (at: number): boolean => tasks[at].state !== "DONE" && tasks[at].state !== "FAILED";
  const neededAtMs = ({ readers }: WorkflowFile): number =>
    readers.reduce(
      (firstMs, at) => (isUnfinished(at) ? Math.min(firstMs, tasks[at].place?.startMs ?? 0) : firstMs),
      Number.MAX_SAFE_INTEGER,
    );
  const isWantedElsewhere = (file: WorkflowFile): boolean =>
    isAwaited(file) ||
    file.readers.some((at) => {
      const site = siteOf(tasks[at], record);
      return isUnfinished(at) && (site === null || !isAt(file, site));
    });
  // Once for each file: thousands of tasks may read it.
  const inTurn = files
    .map((file) => ({ file, atMs: neededAtMs(file) }))
    .sort((one, other) => one.atMs - other.atMs || one.file.at - other.file.at)
    .map(({ file }) => file);
  return {
    fetch: inTurn.filter((file) => !file.isStored && file.copies.length > 0 && isWantedElsewhere(file)),
    send: inTurn.flatMap((file) => (file.isStored ? targetsOf(projection, file, { record, tasks }) : [])),
    remove: inTurn.filter((file) => isSpent(file, tasks)),
  };
}

/** True for a result that the broker is to have; one over its limit stays at its site. */
function isAwaited({ isResult, overLimitBytes }: WorkflowFile): boolean {
  return isResult && overLimitBytes === undefined;
}

/** Running pilots at sites without the file whose tasks read it, one for each site. */
function targetsOf(
  { jobs }: Projection,
  file: WorkflowFile,
  { record, tasks }: { readonly record: WorkflowRecord; readonly tasks: readonly WorkflowTask[] },
): DueMoves["send"] {
  const bySite = new Map<string, number>();
  for (const at of file.readers) {
    const { state, place } = tasks[at];
    if (place === null || state !== "WAITING") continue;
    const pilot = record.pilots[place.pilot];
    const isReady = pilot.state === "OPEN" && jobs.get(pilot.job)?.state === "RUNNING";
    if (isReady && !isAt(file, pilot.site) && !bySite.has(pilot.site)) bySite.set(pilot.site, place.pilot);
  }
  return [...bySite.values()].map((pilot) => ({ file, pilot }));
}

/** True where the last task that reads a file has ended, and copies of it remain to be removed. */
function isSpent(file: WorkflowFile, tasks: readonly WorkflowTask[]): boolean {
  const { readers, isResult, isStored, copies, writer } = file;
  if (readers.some((at) => tasks[at].state !== "DONE")) return false;
  if (isResult && !isStored) return false;
  return copies.length > 0 || (isStored && !isResult && writer !== null);
}

/** True where results wait to be fetched: the workflow ends when they are at the broker. */
export function hasResultsDue(files: readonly WorkflowFile[], tasks: readonly WorkflowTask[]): boolean {
  return files.some(
    (file) =>
      isAwaited(file) && !file.isStored && file.writer !== null && tasks[file.writer].state === "DONE",
  );
}

/** Adds a copy; one in the same job is replaced. */
export function withCopy(file: WorkflowFile, copy: FileCopy): WorkflowFile {
  return { ...file, copies: [...file.copies.filter(({ job }) => job !== copy.job), copy] };
}

/**
 * Tasks whose output is needed and nowhere left run again, in new places: the task that wrote a file, and
 * where its own inputs are gone, the tasks that wrote these.
 */
export function runWritersAgain(changes: TaskChanges): void {
  const { files = 0 } = changes.workflow;
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (let at = 0; at < files; at++) {
      const file = changes.file(at);
      if (file === undefined || file.writer === null || file.isStored || file.copies.length > 0) continue;
      const writer = changes.task(file.writer);
      const isNeeded = file.isResult || file.readers.some((reader) => changes.task(reader)?.state !== "DONE");
      if (!isNeeded || writer?.state !== "DONE") continue;
      changes.loseOutput(writer);
      isSettled = false;
    }
  }
}
