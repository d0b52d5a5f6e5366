/** Jobs and their events, as predictions take them. */

/** A job as it was submitted. */
export interface JobFacts {
  /** Unique at the site as long as the job is there. */
  readonly id: string;
  readonly queue: string;
  /** The owner; runtimes of one user are alike. */
  readonly user: string;
  readonly executable?: string;
  readonly procs: number;
  /** Amounts of further resources, in the site's order (memory …); 0 where absent. */
  readonly alsoNeeds?: readonly number[];
  readonly wallTimeMs: number;
}

/** An event of a job at a site; events come in order of time. */
export type JobEvent =
  | { readonly kind: "submitted"; readonly atMs: number; readonly job: JobFacts }
  | { readonly kind: "started" | "ended" | "withdrawn"; readonly atMs: number; readonly id: string };
