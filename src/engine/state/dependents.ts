/** Jobs that wait for others, by whom they wait for. */
import { dependencyOf, isMet, type JobDescription, type JobEnd, type JobRecord } from "../../model/index.ts";

/** Index of the jobs that wait for others. */
export interface Dependents {
  /** Ids of the jobs that wait for a job, by its id. */
  readonly of: Map<string, Set<string>>;
  /** Jobs that can never start, until they are cancelled. */
  readonly doomed: Set<string>;
}

/** Index without any job. */
export function noDependents(): Dependents {
  return { of: new Map(), doomed: new Set() };
}

/** Takes over a job that is not over. */
export function noteWaiting({ of, doomed }: Dependents, { id, waitsFor, neverAfter }: JobRecord): void {
  if (neverAfter !== undefined) doomed.add(id);
  for (const text of waitsFor ?? []) {
    const { job } = dependencyOf(text);
    const waiting = of.get(job);
    if (waiting === undefined) of.set(job, new Set([id]));
    else waiting.add(id);
  }
}

/** True if the job's dependencies on other jobs allow its placement. */
export function isFreeToStart({ waitsFor, neverAfter }: JobRecord): boolean {
  return waitsFor === undefined && neverAfter === undefined;
}

/** Dependencies of a job as they are when it is accepted. @param ends of the jobs that are over */
export function dependenciesOf(
  {
    jobs,
    arrays,
  }: { readonly jobs: ReadonlyMap<string, JobRecord>; readonly arrays: ReadonlyMap<string, unknown> },
  { after = [] }: Pick<JobDescription, "after">,
  ends: Readonly<Record<string, JobEnd>>,
): Pick<JobRecord, "waitsFor" | "neverAfter"> {
  const open = after.filter((text) => {
    const { job } = dependencyOf(text);
    return jobs.has(job) || arrays.has(job);
  });
  const never = after.find((text) => {
    const end = ends[dependencyOf(text).job];
    return end !== undefined && !isMet(dependencyOf(text), end);
  });
  return {
    ...(open.length === 0 ? {} : { waitsFor: [...new Set(open)] }),
    ...(never === undefined ? {} : { neverAfter: never }),
  };
}
