/** What a reader of workflows hands on, and how it says what is wrong. */
import type { RecordedRun, StagedFile, TaskDraft, WorkflowDraft } from "../../plan/index.ts";
import type { Remark } from "../yaml/index.ts";

/** Names of the formats of workflows, as messages say them. */
export type WorkflowForm = "WfFormat" | "Pegasus DAX" | "Pegasus YAML" | "PSPLIB" | "Stint workflow";

/** Formats of DAGs, whose nodes are described as jobs. */
export type DagForm = "DAGMan" | "JDL";

/** Options of a reading. */
export interface ReadingRules {
  /** Counts negative runtimes and sizes as 0. */
  readonly isLenient?: boolean;
  /** Runtime of tasks that state none. */
  readonly runtimeMs?: number;
  /** True if the files of the user are looked for: the workflow is to be executed. */
  readonly demandsInputs?: boolean;
  /** Loads runs of ended jobs; called if a task has no runtime and `runtimeMs` is absent. */
  readonly recordedRuns?: () => Promise<readonly RecordedRun[]>;
}

/** A draft, where the text could be read; what is wrong in itself is found by `workflowOf`. */
export interface DraftReading {
  readonly draft: WorkflowDraft | undefined;
  readonly problems: readonly Remark[];
  /** What was assumed or left out, a sentence each. */
  readonly remarks?: readonly string[];
}

/** A reading without a draft. */
export function unreadable(...problems: readonly Remark[]): DraftReading {
  return { draft: undefined, problems };
}

/** Seconds as whole milliseconds. */
export function millisecondsOf(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** A file that one task writes and others read, with its size. */
interface FlowingFile {
  readonly writer: string;
  readonly bytes: number;
}

/** Files of a task, by what it does with them. */
export interface TaskFiles {
  readonly id: string;
  readonly reads: readonly FileRead[];
  readonly writes: readonly { readonly name: string; readonly bytes: number }[];
}

/** A file that a task reads. */
export interface FileRead {
  readonly name: string;
  /** Absent where no size is stated. */
  readonly bytes?: number | undefined;
  /** Sites that have a copy; absent: none is known. */
  readonly at?: readonly string[];
}

/** Bytes from parent to child: the sizes, as their writer states them, of the files that the child reads. */
export function bytesBetween(tasks: readonly TaskFiles[]): (parent: string, child: string) => number {
  const writers = new Map<string, FlowingFile>();
  for (const { id, writes } of tasks) {
    for (const { name, bytes } of writes) writers.set(name, { writer: id, bytes });
  }
  const sums = new Map<string, Map<string, number>>();
  for (const { id, reads } of tasks) {
    const own = new Map<string, number>();
    for (const name of new Set(reads.map((file) => file.name))) {
      const from = writers.get(name);
      if (from !== undefined) own.set(from.writer, (own.get(from.writer) ?? 0) + from.bytes);
    }
    sums.set(id, own);
  }
  return (parent, child) => sums.get(child)?.get(parent) ?? 0;
}

/**
 * Files that a task reads and no task writes: they exist before the plan, and their transfer takes time.
 * Files of unknown size are left out.
 */
export function stagedFiles(tasks: readonly TaskFiles[]): (task: string) => Pick<TaskDraft, "inputs"> {
  const written = new Set(tasks.flatMap(({ writes }) => writes.map(({ name }) => name)));
  const byTask = new Map(
    tasks.map(({ id, reads }) => {
      const own = new Map(reads.filter(({ name }) => !written.has(name)).map((file) => [file.name, file]));
      return [id, [...own.values()].flatMap(({ bytes, at }) => stagedFile(bytes, at))];
    }),
  );
  return (task) => {
    const inputs = byTask.get(task) ?? [];
    return inputs.length === 0 ? {} : { inputs };
  };
}

function stagedFile(bytes: number | undefined, at: readonly string[] = []): readonly StagedFile[] {
  if (bytes === undefined || bytes === 0) return [];
  return [at.length === 0 ? { bytes } : { bytes, at }];
}

/** A draft after the rules: negative amounts as 0 where lenient, a runtime for tasks without one. */
export function ruled(draft: WorkflowDraft, { isLenient, runtimeMs }: ReadingRules): WorkflowDraft {
  const least = (value: number): number => (isLenient === true ? Math.max(0, value) : value);
  const tasks = draft.tasks.map((task): TaskDraft => {
    const own = task.runtimeMs ?? (task.runtimesMs === undefined ? runtimeMs : undefined);
    return {
      ...task,
      ...(own === undefined ? {} : { runtimeMs: least(own) }),
      parents: task.parents.map(({ id, bytes }) => ({ id, bytes: least(bytes) })),
      ...(task.inputs === undefined
        ? {}
        : { inputs: task.inputs.map((file) => ({ ...file, bytes: least(file.bytes) })) }),
    };
  });
  return { ...draft, tasks };
}
