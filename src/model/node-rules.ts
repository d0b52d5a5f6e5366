/** Rules of the nodes of DAGs of jobs and of executed workflows, as DAGMan has them. */

/** Rules of a node. */
export interface NodeRules {
  /** Times that it is run again after it failed; 0 where absent. */
  readonly retries?: number;
  /** Exit code after which it is not run again. */
  readonly unlessExit?: number;
  /** Exit code that ends the whole DAG, and the DAG's own exit code then. */
  readonly abortOn?: { readonly exitCode: number; readonly result: number };
  /** Of the nodes that may start, those of larger priority start first; 0 where absent. */
  readonly priority?: number;
  /** Nodes of one category share a limit. */
  readonly category?: string;
  /** True for a node that starts when all others have ended, and whose end is that of the DAG. */
  readonly isFinal?: true;
}

/** Limits on the nodes that run at once. */
export interface NodeLimits {
  /** Largest number of nodes with a job at once; no limit where absent. */
  readonly maxRunning?: number;
  /** Largest number of nodes of a category with a job at once. */
  readonly maxRunningOf?: Readonly<Record<string, number>>;
}
