/** Marks by which a process shows which job it belongs to (rule SE-1). */

/** Job ids found on a process. */
export interface JobMark {
  /** Stint's job id. */
  readonly job: string | null;
  /** Job id of the batch system. */
  readonly siteJob: string | null;
}

/** Mark of a process of no job. */
export const NO_MARK: JobMark = { job: null, siteJob: null };

/** Mark in an environment, in the format of /proc/PID/environ. `STINT_JOB` is JOB or JOB/ATTEMPT. */
export function markOfEnvironment(environment: string): JobMark {
  let [job, siteJob]: (string | null)[] = [null, null];
  for (const entry of environment.split("\0")) {
    if (entry.startsWith("STINT_JOB=")) job = wellFormed(entry.slice(10).split("/")[0]);
    else if (entry.startsWith("SLURM_JOB_ID=")) siteJob = wellFormed(entry.slice(13));
  }
  return { job, siteJob };
}

/**
 * Slurm job of a control group, in the format of /proc/PID/cgroup: `…/slurm/uid_1000/job_42/step_0`, or
 * below a scope.
 */
export function siteJobOfControlGroup(text: string): string | null {
  return /slurm[^\n]*\/job_(\d+)(?:\/|$)/m.exec(text)?.[1] ?? null;
}

/** Slurm job in the title of a step daemon (`slurmstepd: [42.batch]`); null for every other process. */
export function siteJobOfStepDaemon(title: string): string | null {
  return /^(?:\S*\/)?slurmstepd: \[(\d+)(?:_\d+)?\./.exec(title)?.[1] ?? null;
}

/** The text if it has the form of an id, else null: any process can write anything into its environment. */
function wellFormed(text: string | undefined): string | null {
  return text !== undefined && /^[A-Za-z0-9_.+-]{1,64}$/.test(text) ? text : null;
}
