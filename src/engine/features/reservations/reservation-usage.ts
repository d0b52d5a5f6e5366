/**
 * Statistics of the reservations that a site has sold: how much of them was used, and how late the jobs
 * with priced delays really started.
 *
 * Use counts what a reservation's jobs used of its processors from its start to its end, without
 * suspended time and without what ran beyond it; the rest was idle. A reservation violated before its
 * start does not count. A job's delay is its real start less the start it had before the first accepted
 * quote that named it, times its delay cost; it is compared with all that was charged for it and not
 * refunded. Others' jobs at a foreign site are not known by name and count for neither.
 *
 * Both are counted once, as soon as they are known: use when a job of a reservation ends and when the
 * reservation ends, a delay when the job starts. So no record of ended reservations has to be stored for
 * them.
 */
import { exactProduct } from "../../../base/index.ts";
import { countable } from "../../../market/index.ts";
import type { JobRecord, ReservationRecord, StintEvent } from "../../../model/index.ts";
import { siteChange } from "../../site-change.ts";
import { runsOf } from "../../state/accounts.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { endOf } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

type EventOf<Kind> = Extract<StintEvent, { kind: Kind }>;

/** Notes what an event ends, before it is applied; gives the records that this changes. */
export function noteUse(projection: Projection, event: StintEvent): RecordChange[] {
  switch (event.kind) {
    case "attemptEnded":
    case "attemptRequeued":
      return jobLeft(projection, event);
    case "reservationFulfilled":
    case "reservationRelinquished":
    case "reservationViolated":
      return reservationOver(projection, event);
    default:
      return [];
  }
}

/** Use of a reservation by a job of it whose attempt has ended. */
type JobLeft = Extract<StintEvent, { readonly job: string; readonly attempt: number }>;

function jobLeft({ jobs, reserved }: Projection, event: JobLeft): RecordChange[] {
  const job = jobs.get(event.job);
  const record = reserved.records.get(job?.description.reservation ?? "");
  if (job === undefined || record === undefined) return [];
  // What ran before a suspension counts with the last run, which is still to come of one that begins anew.
  const counted = event.kind === "attemptEnded" ? job : { ...job, earlierRuns: [] };
  const usedProcMs = (record.usedProcMs ?? 0) + usedOf(counted, record, event.atMs);
  if (usedProcMs === (record.usedProcMs ?? 0)) return [];
  const after: ReservationRecord = { ...record, usedProcMs };
  reserved.records.set(record.id, after);
  return [{ kind: "reservation", record: after }];
}

/** Notes the use of a reservation that is over; one that never began was never idle and is not counted. */
function reservationOver(
  { jobs, reserved, sites }: Projection,
  event: EventOf<"reservationFulfilled" | "reservationRelinquished" | "reservationViolated">,
): RecordChange[] {
  const record = reserved.records.get(event.reservation);
  const site = sites.get(event.site);
  const wasThere = record?.state === "ACTIVE" || event.kind === "reservationFulfilled";
  if (record === undefined || site === undefined || !wasThere) return [];
  const untilMs = Math.min(event.atMs, endOf(record));
  const running = [...jobs.values()].filter(({ description }) => description.reservation === record.id);
  const now = running.reduce((sum, job) => sum + usedOf(job, record, untilMs), 0);
  const usedProcMs = (record.usedProcMs ?? 0) + now;
  reserved.records.set(record.id, { ...record, usedProcMs });
  const { sold } = site;
  site.sold = {
    ...sold,
    reservedProcMs: sold.reservedProcMs + exactProduct(record.procs, Math.max(0, untilMs - record.startMs)),
    usedProcMs: sold.usedProcMs + usedProcMs,
  };
  return [siteChange(site)];
}

/** Processor-ms that a job used within the time of its reservation. */
function usedOf(job: JobRecord, { startMs, ...rest }: ReservationRecord, untilMs: number): number {
  const lastMs = Math.min(untilMs, startMs + rest.durationMs);
  const ms = runsOf(job, untilMs).reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, lastMs) - Math.max(fromMs, startMs)),
    0,
  );
  return exactProduct(job.description.procs, ms);
}

/** Notes what an event promised or began, once it is applied; gives the records that this changes. */
export function noteDelays(
  projection: Projection,
  event: StintEvent,
  changed: readonly JobRecord[],
): RecordChange[] {
  switch (event.kind) {
    case "offerAccepted":
      return accepted(projection, event.reservation);
    case "reservationExtended":
      return owed(projection, event.reservation, event.delayed ?? []);
    case "reservationCancelled":
    case "reservationViolated":
      return takenBack(projection, event.reservation);
    default:
      return changed.flatMap((job) => started(projection, job));
  }
}

function accepted(projection: Projection, id: string): RecordChange[] {
  const { records } = projection.reserved;
  const record = records.get(id);
  if (record?.delayed === undefined) return [];
  const { delayed, ...without } = record;
  records.set(id, without);
  return [{ kind: "reservation", record: without }, ...owed(projection, id, delayed)];
}

/** Records a reservation's delay of jobs that still wait; lateness counts from the first promised start. */
function owed(
  { jobs }: Projection,
  reservation: string,
  delayed: NonNullable<ReservationRecord["delayed"]>,
): RecordChange[] {
  return delayed.flatMap(({ job: id, plannedMs, procMs }): RecordChange[] => {
    const job = jobs.get(id);
    if (job === undefined || job.startDecidedAtMs !== null || job.startedAtMs !== null) return [];
    const { plannedMs: firstMs = plannedMs, by = [] } = job.delayed ?? {};
    const record = { ...job, delayed: { plannedMs: firstMs, by: [...by, { reservation, procMs }] } };
    jobs.set(id, record);
    return [{ kind: "job", record }];
  });
}

/** Removes a returned reservation from the recorded delays of jobs. */
function takenBack({ jobs }: Projection, reservation: string): RecordChange[] {
  return [...jobs.values()].flatMap((job): RecordChange[] => {
    if (job.delayed?.by.some((it) => it.reservation === reservation) !== true) return [];
    const { delayed, ...without } = job;
    const by = delayed.by.filter((it) => it.reservation !== reservation);
    const record: JobRecord = by.length === 0 ? without : { ...without, delayed: { ...delayed, by } };
    jobs.set(job.id, record);
    return [{ kind: "job", record }];
  });
}

/** Records the lateness of a job at its start. */
function started({ jobs, sites }: Projection, { id }: JobRecord): RecordChange[] {
  const job = jobs.get(id);
  const site = sites.get(job?.site ?? "");
  const startMs = job?.startDecidedAtMs ?? job?.startedAtMs ?? null;
  if (job?.delayed === undefined || site === undefined || startMs === null) return [];
  const { delayed, ...record } = job;
  jobs.set(id, record);
  const { procs, delayCostSuPerHour = procs } = record.description;
  const lateMs = Math.max(0, startMs - delayed.plannedMs);
  const pricedProcMs = delayed.by.reduce((sum, { procMs }) => sum + procMs, 0);
  noteLate(site, pricedProcMs, countable(lateMs * delayCostSuPerHour));
  return [{ kind: "job", record }, siteChange(site)];
}

function noteLate(site: SiteState, pricedProcMs: number, causedProcMs: number): void {
  const { sold } = site;
  site.sold = {
    ...sold,
    delayedJobs: sold.delayedJobs + 1,
    pricedDelayProcMs: sold.pricedDelayProcMs + pricedProcMs,
    causedDelayProcMs: sold.causedDelayProcMs + causedProcMs,
  };
}
