/**
 * A workflow as a reader found it, before anything was checked: tasks with names of parents.
 *
 * Every format becomes this; `workflowOf` makes a {@link Workflow} of it or names what is wrong. Times are
 * milliseconds, whole; sizes bytes.
 */

import type { NodeLimits, NodeRules } from "../../model/index.ts";

/** A task with what it needs and whom it waits for. */
export interface TaskDraft {
  readonly id: string;
  readonly procs: number;
  /** Runtime on a site of speed 1; absent where the file states none. */
  readonly runtimeMs?: number;
  /** Runtimes at sites by name, in place of the one above. */
  readonly runtimesMs?: Readonly<Record<string, number>>;
  /** Standard deviation of the runtime, whose mean is the stated one. */
  readonly spreadMs?: number;
  /** Quantiles of the runtime in place of a spread: probabilities, rising, each with its runtime. */
  readonly quantilesMs?: readonly (readonly [probability: number, ms: number])[];
  readonly memoryBytes?: number;
  readonly gpus?: number;
  /** Amounts of other renewable resources by name. */
  readonly amounts?: Readonly<Record<string, number>>;
  readonly parents: readonly ParentDraft[];
  /** Program of the task; absent where the file states none. */
  readonly program?: TaskProgram;
  /** Attributes of its job that a task cannot have; it then has no program. */
  readonly unsupported?: readonly string[];
  /**
   * What the records of its jobs would have as their program, where that differs from `program`; with the
   * site to which it is bound.
   */
  readonly recordedAs?: Pick<TaskProgram, "executable" | "arguments"> & { readonly site?: string };
  /** Files that the program reads and writes in its directory. */
  readonly files?: TaskFileNames;
  /** Files that are brought to its site before it runs: the user's, or those that exist already. */
  readonly inputs?: readonly StagedFile[];
  /** Rules of a node of a DAG. */
  readonly rules?: NodeRules;
  /** Line in the file, for messages. */
  readonly line?: number;
}

/** A program with its arguments and its variables. */
export interface TaskProgram {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Names of files. What no task writes is a file of the user: its path, absolute once the file is read. */
export interface TaskFileNames {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Folder of its outputs among those of the workflow; other tasks may write files of the same names. */
  readonly folder?: string;
}

/** A file that exists before the plan begins. */
export interface StagedFile {
  readonly bytes: number;
  /** Sites that have a copy; absent: none. */
  readonly at?: readonly string[];
}

/** A parent and the bytes that it sends. */
export interface ParentDraft {
  readonly id: string;
  readonly bytes: number;
}

/** A whole file. */
export interface WorkflowDraft {
  readonly name: string;
  readonly tasks: readonly TaskDraft[];
  /** Capacities of renewable resources, where the file names its own machine (PSPLIB). */
  readonly capacities?: Readonly<Record<string, number>>;
  /** Settings of its execution: directory of the tasks at sites, number of retries, … */
  readonly execution?: {
    readonly directory?: string;
    readonly retries?: number;
    /** Files that the user wants though tasks read them. */
    readonly results?: readonly string[];
    readonly limits?: NodeLimits;
    /** Consumer for which it runs; absent: the one who executes it. */
    readonly virtualOrganisation?: string;
    /** Tags of its jobs. */
    readonly userTags?: Readonly<Record<string, string>>;
  };
}
