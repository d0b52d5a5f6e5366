/** Measurements of a sweep's scouts, and the limits that they propose for its other jobs. */

/** Time limit and memory that measurements suggest; what is absent stays as it is. */
export interface ScoutProposal {
  readonly wallTimeMs?: number;
  readonly memoryBytes?: number;
}

/** The scouts of a sweep so far. */
export interface ScoutSummary {
  readonly jobs: number;
  readonly ended: number;
  /** Those that ended with exit code 0; only these are measured. */
  readonly ok: number;
  readonly longestMs: number;
  /** Null where no site measured it. */
  readonly peakMemoryBytes: number | null;
  /** Null while they run; `waiting`: the other jobs wait for a decision. */
  readonly outcome: "waiting" | "kept" | "used" | null;
  /** Absent while they run, and where there is nothing to propose. */
  readonly proposal?: ScoutProposal;
}
