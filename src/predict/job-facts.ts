/**
 * What predictions know of jobs, and what they are told becomes of them.
 */

/** A job as it was submitted. */
export interface JobFacts {
  /** Unique at its site while it is there. */
  readonly id: string;
  readonly queue: string;
  /** Whose it is; runtimes are alike for one user. */
  readonly user: string;
  /** What it runs, where that is known. */
  readonly executable?: string;
  readonly procs: number;
  /** What else it needs, in the site's order (memory …); nothing where it is left out. */
  readonly alsoNeeds?: readonly number[];
  /** The requested limit. */
  readonly wallTimeMs: number;
}

/** What happened to a job at a site, told in order of time. */
export type JobEvent =
  | { readonly kind: "submitted"; readonly atMs: number; readonly job: JobFacts }
  | { readonly kind: "started" | "ended" | "withdrawn"; readonly atMs: number; readonly id: string };
