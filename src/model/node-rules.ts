/** Rules of the nodes of DAGs of jobs and of executed workflows, as DAGMan has them. */

/** Rules of a node. */
export interface NodeRules {
  /** Number of reruns after a failure; default 0. */
  readonly retries?: number;
  /** Exit code after which the node is not rerun. */
  readonly unlessExit?: number;
  /** Exit code that ends the whole DAG, and the DAG's own exit code then. */
  readonly abortOn?: { readonly exitCode: number; readonly result: number };
  /** Of the nodes that can start, those with a larger priority start first; default 0. */
  readonly priority?: number;
  /** Nodes of one category share a limit. */
  readonly category?: string;
  /** True for the node that starts when all others have ended, and decides the result of the DAG. */
  readonly isFinal?: true;
}

/** Limits on the nodes that run at once. */
export interface NodeLimits {
  /** Largest number of nodes with a job at once; no limit where absent. */
  readonly maxRunning?: number;
  /** Largest number of nodes of a category with a job at once. */
  readonly maxRunningOf?: Readonly<Record<string, number>>;
}
