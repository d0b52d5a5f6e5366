/**
 * Dependencies between jobs: a job waits at the broker until all that it depends on have ended as it demands.
 * One that can never start any more is cancelled, with that as its cause, and counts as failed for those that
 * depend on it.
 *
 * A job names only jobs that were there before it, so that no two can wait for each other. The state is in
 * the records of the jobs (`waitsFor`, `neverAfter`) and in an index of them (`state/dependents.ts`), so that
 * workflows can be built on the same records.
 */
import {
  dependencyOf,
  endOfArray,
  endOfJob,
  isFinal,
  isMet,
  type JobEnd,
  type JobRecord,
  type StintEvent,
} from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import { keepJob } from "../../keep-job.ts";
import { arrayRecord, leftOf } from "../../state/arrays.ts";
import { type Projection, type RecordChange, toPlace } from "../../state/projection.ts";

export const dependencies = {
  name: "dependencies",
  after: (projection, event, jobs) => [
    ...(event.kind === "searchEnded" ? arrayEnded(projection, event.array, event.atMs) : []),
    ...jobs.flatMap((job) => [
      ...ended(projection, job.id, endOfJob(job)),
      ...arrayEnded(projection, isFinal(job.state) ? job.array?.id : undefined, event.atMs),
    ]),
  ],
  decide: cancelDoomed,
  explain: {
    atBroker: (_, { waitsFor }) =>
      waitsFor === undefined ? [] : [{ kind: "waitsForJobs", after: waitsFor }],
  },
} as const satisfies Feature;

/** Changes of the jobs that waited for an array, where its last job has ended. */
function arrayEnded(projection: Projection, id: string | undefined, atMs: number): RecordChange[] {
  const array = projection.arrays.get(id ?? "");
  if (array === undefined || leftOf(array) > 0) return [];
  return ended(projection, array.accepted.id, endOfArray(arrayRecord(array, atMs)));
}

/** Changes of the jobs that waited for a job or an array. @param end undefined: it is not over */
function ended(projection: Projection, over: string, end: JobEnd | undefined): RecordChange[] {
  const waiting = projection.dependents.of.get(over);
  if (end === undefined || waiting === undefined) return [];
  projection.dependents.of.delete(over);
  return [...waiting].flatMap((id) => {
    const dependent = projection.jobs.get(id);
    if (dependent?.waitsFor === undefined) return [];
    const concerned = dependent.waitsFor.filter((text) => dependencyOf(text).job === over);
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
