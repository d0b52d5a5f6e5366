/**
 * A checked workflow: tasks by number, edges in adjacency arrays, a topological order.
 *
 * The parents of task v are the entries `parentStart[v]` to `parentStart[v + 1]` of `parentOf`, with the
 * bytes of the edge beside them in `parentBytes`; children likewise.
 */

import type { NodeRules } from "../../model/index.ts";
import type { StagedFile, TaskFileNames, TaskProgram, WorkflowDraft } from "./draft.ts";

/** A task; its number is its place in the list. */
interface WorkflowTask {
  readonly id: string;
  readonly procs: number;
  readonly runtimeMs?: number;
  readonly runtimesMs?: Readonly<Record<string, number>>;
  readonly spreadMs?: number;
  readonly quantilesMs?: readonly (readonly [probability: number, ms: number])[];
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly amounts: Readonly<Record<string, number>>;
  readonly program?: TaskProgram;
  readonly unsupported?: readonly string[];
  readonly files?: TaskFileNames;
  readonly inputs?: readonly StagedFile[];
  readonly rules?: NodeRules;
}

/** Tasks that are acyclic, with unique ids and known parents. */
export interface Workflow {
  readonly name: string;
  readonly tasks: readonly WorkflowTask[];
  readonly parentStart: Int32Array;
  readonly parentOf: Int32Array;
  readonly parentBytes: Float64Array;
  readonly childStart: Int32Array;
  readonly childOf: Int32Array;
  readonly childBytes: Float64Array;
  /** Parents before children; of several possible tasks the first in the file. */
  readonly order: Int32Array;
  /** Capacities of the machine that the file itself names. */
  readonly capacities?: Readonly<Record<string, number>>;
  readonly execution?: WorkflowDraft["execution"];
}
