/**
 * Small SWF files for tests: a row per job, showing only what matters.
 */

/** What a test says of a job; everything else is unknown (−1). */
export interface SwfJob {
  readonly id?: number;
  readonly submit: number;
  /** As recorded. */
  readonly wait?: number;
  readonly runtime: number;
  readonly procs: number;
  /** Allocated processors; the requested ones (`procs`) count first. */
  readonly allocated?: number;
  readonly requested?: number;
}

/** A file with these jobs on a machine of `maxProcs`. */
export function swfText(jobs: readonly SwfJob[], maxProcs = 4): string {
  const rows = jobs.map((job, i) => swfRow({ id: i + 1, ...job }));
  return `; MaxProcs: ${maxProcs}\n${rows.join("\n")}\n`;
}

/** The 18 fields of one job. */
export function swfRow({ id = 1, submit, wait = -1, runtime, ...procs }: SwfJob): string {
  const { allocated = -1, procs: asked, requested = -1 } = procs;
  const request = `${asked} ${requested} -1 1 7 -1 -1 -1 -1 -1 -1`;
  return `${id} ${submit} ${wait} ${runtime} ${allocated} -1 -1 ${request}`;
}
