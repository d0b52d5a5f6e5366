/**
 * Small SWF files for tests: a row per job, showing only what matters.
 */

/** What a test says of a job; everything else is unknown (−1). */
export interface SwfJob {
  readonly id?: number;
  readonly submit: number;
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
export function swfRow({ id = 1, submit, runtime, procs, allocated = -1, requested = -1 }: SwfJob): string {
  return `${id} ${submit} -1 ${runtime} ${allocated} -1 -1 ${procs} ${requested} -1 1 7 -1 -1 -1 -1 -1 -1`;
}
