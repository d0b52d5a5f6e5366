/**
 * By what a process says of which job it is (rule SE-1).
 */

/** What a process says of itself. */
export interface JobMark {
  /** A job of Stint. */
  readonly job: string | null;
  /** The batch system's own id. */
  readonly siteJob: string | null;
}

/** Of no job. */
export const NO_MARK: JobMark = { job: null, siteJob: null };

/** By its environment, as /proc/PID/environ has it. `STINT_JOB` is JOB or JOB/ATTEMPT. */
export function markOfEnvironment(environment: string): JobMark {
  let [job, siteJob]: (string | null)[] = [null, null];
  for (const entry of environment.split("\0")) {
    if (entry.startsWith("STINT_JOB=")) job = wellFormed(entry.slice(10).split("/")[0]);
    else if (entry.startsWith("SLURM_JOB_ID=")) siteJob = wellFormed(entry.slice(13));
  }
  return { job, siteJob };
}

/** By its control group, as /proc/PID/cgroup has it: `…/slurm/uid_1000/job_42/step_0`, or below a scope. */
export function siteJobOfControlGroup(text: string): string | null {
  return /slurm[^\n]*\/job_(\d+)(?:\/|$)/m.exec(text)?.[1] ?? null;
}

/** By the title of Slurm's step daemon: `slurmstepd: [42.batch]`; null for every other process. */
export function siteJobOfStepDaemon(title: string): string | null {
  return /^(?:\S*\/)?slurmstepd: \[(\d+)(?:_\d+)?\./.exec(title)?.[1] ?? null;
}

/** What anybody may write into an environment is taken only where it could be an id. */
function wellFormed(text: string | undefined): string | null {
  return text !== undefined && /^[A-Za-z0-9_.+-]{1,64}$/.test(text) ? text : null;
}
