/**
 * Dependencies between jobs: a job waits at the broker until all that it depends on have ended as it demands.
 * One that can never start any more is cancelled, with that as its cause, and counts as failed for those that
 * depend on it.
 *
 * A job names only jobs that were there before it, so that no two can wait for each other. The state is in
 * the records of the jobs (`waitsFor`, `neverAfter`) and in an index of them (`state/dependents.ts`), so that
 * workflows can be built on the same records.
 */
import { dependencyOf, endOfJob, isMet, type JobRecord, type StintEvent } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import { keepJob } from "../../keep-job.ts";
import { type Projection, type RecordChange, toPlace } from "../../state/projection.ts";

export const dependencies = {
  name: "dependencies",
  after: (projection, _, jobs) => jobs.flatMap((job) => ended(projection, job)),
  decide: cancelDoomed,
  explain: {
    atBroker: (_, { waitsFor }) =>
      waitsFor === undefined ? [] : [{ kind: "waitsForJobs", after: waitsFor }],
  },
} as const satisfies Feature;

/** Changes of the jobs that waited for one that is over. */
function ended(projection: Projection, job: JobRecord): RecordChange[] {
  const end = endOfJob(job);
  const waiting = projection.dependents.of.get(job.id);
  if (end === undefined || waiting === undefined) return [];
  projection.dependents.of.delete(job.id);
  return [...waiting].flatMap((id) => {
    const dependent = projection.jobs.get(id);
    if (dependent?.waitsFor === undefined) return [];
    const concerned = dependent.waitsFor.filter((text) => dependencyOf(text).job === job.id);
    const unmet = concerned.find((text) => !isMet(dependencyOf(text), end));
    const left = dependent.waitsFor.filter((text) => !concerned.includes(text));
    const { waitsFor: _, ...rest } = dependent;
    const next: JobRecord = {
      ...rest,
      ...(left.length === 0 ? {} : { waitsFor: left }),
      ...(unmet === undefined || rest.neverAfter !== undefined ? {} : { neverAfter: unmet }),
    };
    const change = keepJob(projection, next);
    if (next.state === "WAITING" && next.site === null) toPlace(projection, next);
    return [change];
  });
}

/** Cancels the jobs that can never start, held ones too. */
function cancelDoomed({ dependents }: Projection, nowMs: number): StintEvent[] {
  return [...dependents.doomed].map((job) => ({
    kind: "jobCancelled",
    job,
    cause: "dependencyFailed",
    atMs: nowMs,
  }));
}
