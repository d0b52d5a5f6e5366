/**
 * Changes of jobs that wait. A job with other needs is placed anew: it leaves the queue of a managed site,
 * keeps its order among those that wait for a site, and is judged as if it had been submitted with these
 * needs. A job that was handed to a cluster, or has started, cannot be changed, except for its priority in
 * the cluster's queue: the broker sets that there once the change is recorded.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  isForeign,
  type JobChange,
  type JobDescription,
  type JobRecord,
  type Refusal,
  type SiteSpec,
} from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { waitsAnew } from "../../jobs.ts";
import { jobOf, keepJob } from "../../keep-job.ts";
import { type Projection, type RecordChange, toPlace } from "../../state/projection.ts";
import { whyNotPossible } from "../../submit.ts";

export const editing = {
  name: "editing",
  answers: { editJob },
  applies: { jobEdited },
} as const satisfies Feature;

function editJob(
  projection: Projection,
  { job: id, change, by }: CommandOf<"editJob">,
  nowMs: number,
): Answer {
  const job = projection.jobs.get(id);
  if (job === undefined) return refused({ kind: "unknownJob", job: id });
  const description = changed(job.description, change);
  const refusal = whyNotChanged(projection, job, change) ?? whyNotSo(projection, job, { description, nowMs });
  if (refusal !== undefined) return refused(refusal);
  return accepted([{ kind: "jobEdited", job: id, change, by, atMs: nowMs }]);
}

/** Reason why a job cannot be changed now; undefined where it can. */
function whyNotChanged({ sites }: Projection, job: JobRecord, change: JobChange): Refusal | undefined {
  const { id, state, description } = job;
  const hasBegun = job.startDecidedAtMs !== null || job.startedAtMs !== null || job.restMs !== null;
  if (hasBegun || job.isCancelRequested) {
    return { kind: "notEditable", job: id, why: { kind: "started", state } };
  }
  const spec = sites.get(job.site ?? "")?.spec;
  if (change.priority !== undefined) {
    const because = whyNoPriority(job, spec);
    const { site } = job;
    if (because !== undefined) {
      return { kind: "notEditable", job: id, why: { kind: "noPriority", site, because } };
    }
    if (Object.keys(change).length === 1) return undefined;
  }
  if (spec !== undefined && isForeign(spec)) {
    return { kind: "notEditable", job: id, why: { kind: "atCluster", site: job.site ?? "" } };
  }
  if (!needsOther(change)) return undefined;
  const { reservation, virtual, delayCostSuPerHour } = description;
  const bound = (to: "ticket" | "reservation" | "virtual" | "delayCost"): Refusal => ({
    ...{ kind: "notEditable", job: id, why: { kind: "bound", to } },
  });
  if (job.ticket !== undefined) return bound("ticket");
  if (virtual !== undefined) return bound("virtual");
  if (reservation !== undefined) return bound("reservation");
  return delayCostSuPerHour === undefined ? undefined : bound("delayCost");
}

function whyNoPriority({ site, siteJob, state }: JobRecord, spec: SiteSpec | undefined) {
  if (site !== null && (spec === undefined || !isForeign(spec))) return "arrivalOrder" as const;
  if (state === "HELD") return "held" as const;
  return siteJob === null ? ("notQueued" as const) : undefined;
}

/** Reason why the changed job would be refused if it were submitted now; undefined where it would not. */
function whyNotSo(
  projection: Projection,
  { id, consumer, owner, inputBytes = 0 }: JobRecord,
  { description, nowMs }: { readonly description: JobDescription; readonly nowMs: number },
): Refusal | undefined {
  const { after: _, ...rest } = description;
  const command = { kind: "submit", job: id, description: rest, consumer, owner, inputBytes } as const;
  return whyNotPossible(projection, command, nowMs);
}

/** True for a change of more than what the job is called, and its priority. */
function needsOther({ name: _, userTags: _tags, priority: _priority, ...needs }: JobChange): boolean {
  return Object.keys(needs).length > 0;
}

function changed({ site: at, ...description }: JobDescription, change: JobChange): JobDescription {
  const { site = at ?? null, userTags, priority: _, ...values } = change;
  return {
    ...description,
    ...values,
    ...(site === null ? {} : { site }),
    userTags: { ...description.userTags, ...userTags },
  };
}

function jobEdited(projection: Projection, { job: id, change }: EventOf<"jobEdited">): RecordChange[] {
  const before = jobOf(projection, id);
  const job: JobRecord = { ...before, description: changed(before.description, change) };
  if (!needsOther(change)) return [keepJob(projection, job)];
  if (job.site !== null) {
    const { enforced: _, ...free } = job;
    const changes = waitsAnew(projection, free, "cancel");
    if (job.state !== "HELD") return changes;
    projection.unplaced.delete(id);
    return [keepJob(projection, { ...jobOf(projection, id), state: "HELD" })];
  }
  // What no site took may fit now.
  if (projection.parked.delete(id)) toPlace(projection, job);
  return [keepJob(projection, job)];
}
