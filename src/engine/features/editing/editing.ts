/**
 * Changes of jobs that wait. A job with other needs is placed anew: it leaves the queue of its site, keeps
 * its order among those that wait for a site, and is judged as if it had been submitted with these needs.
 * A cluster holds the job first and removes it once it is held, as after its queue time; the change takes
 * effect then, and is dropped if the job starts meanwhile. A priority is set in the cluster's queue, by the
 * broker, once the change is recorded.
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
import { changedDescription } from "../../changed-description.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { waitsAnew } from "../../jobs.ts";
import { jobOf, keepJob } from "../../keep-job.ts";
import { type Projection, type RecordChange, toPlace } from "../../state/projection.ts";
import { whyNotPossible } from "../../submit.ts";

export const editing = {
  name: "editing",
  answers: { editJob },
  applies: { jobEdited, jobEditRequested },
} as const satisfies Feature;

function editJob(
  projection: Projection,
  { job: id, change, by }: CommandOf<"editJob">,
  nowMs: number,
): Answer {
  const job = projection.jobs.get(id);
  if (job === undefined) return refused({ kind: "unknownJob", job: id });
  const description = changedDescription(job.description, { ...job.pendingChange, ...change });
  const refusal = whyNotChanged(projection, job, change) ?? whyNotSo(projection, job, { description, nowMs });
  if (refusal !== undefined) return refused(refusal);
  const { name, userTags, ...needs } = change;
  const { site } = job;
  if (site === null || !isAtCluster(projection, job) || !needsOther(needs)) {
    return accepted([{ kind: "jobEdited", job: id, change, by, atMs: nowMs }]);
  }
  const words = { ...(name === undefined ? {} : { name }), ...(userTags === undefined ? {} : { userTags }) };
  const isNamed = Object.keys(words).length > 0;
  return accepted([
    ...(isNamed ? [{ kind: "jobEdited", job: id, change: words, by, atMs: nowMs } as const] : []),
    { kind: "jobEditRequested", job: id, site, change: needs, by, atMs: nowMs },
  ]);
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
    if (needsOther(change)) {
      return { kind: "notEditable", job: id, why: { kind: "priorityWithNeeds", site: site ?? "" } };
    }
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

function isAtCluster({ sites }: Projection, { site }: JobRecord): boolean {
  const spec = sites.get(site ?? "")?.spec;
  return spec !== undefined && isForeign(spec);
}

function jobEditRequested(
  projection: Projection,
  { job: id, change }: EventOf<"jobEditRequested">,
): RecordChange[] {
  const before = jobOf(projection, id);
  // A job in a pilot does not start once it is recalled.
  const recalled = before.pilot === undefined ? {} : { isRecalled: true };
  const pendingChange = { ...before.pendingChange, ...change };
  return [keepJob(projection, { ...before, pendingChange, isLeaving: true, ...recalled })];
}

function jobEdited(projection: Projection, { job: id, change }: EventOf<"jobEdited">): RecordChange[] {
  const before = jobOf(projection, id);
  const job: JobRecord = { ...before, description: changedDescription(before.description, change) };
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
