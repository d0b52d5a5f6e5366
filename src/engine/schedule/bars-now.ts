/**
 * Bars of a site's schedule at an instant: what runs, waits and is reserved there.
 *
 * From the site's one plan (`queue-plan`), as explanations and slots are: nothing is simulated for a bar.
 * Cost: the plan, which is kept as long as the queue does not change, and O(jobs).
 */
import { attemptToken, isForeign, type JobRecord, type ReservationRecord } from "../../model/index.ts";
import { consumerThere } from "../features/policies/foreign-view.ts";
import { keptSlots, type PlannedJob, plannedJobs } from "../queue-plan.ts";
import type { Projection } from "../state/projection.ts";
import { endOf, heldAt } from "../state/reserved.ts";
import { plannedNeedOf, type SiteState } from "../state/site-state.ts";
import type { SurveyedJob } from "../survey.ts";
import type { Bar } from "./bar.ts";
import { pastBars, runsSince } from "./past-bars.ts";

/** Everything at a site that is not over, in no order. */
export function barsNow(projection: Projection, site: SiteState, nowMs: number): readonly Bar[] {
  const bars = new Map<string, Bar>();
  const add = (bar: Bar): void => {
    if (!bars.has(bar.key)) bars.set(bar.key, bar);
  };
  const seen = seenByKey(projection, site);
  const at: Scene = { projection, site, seen, nowMs };
  for (const planned of plannedJobs(site.queue, nowMs)) add(barOfPlanned(at, planned, null));
  for (const record of heldAt(projection.reserved, site.name)) {
    add(barOfReservation(record));
    const room = projection.reserved.rooms.get(record.id);
    if (room === undefined) continue;
    for (const planned of plannedJobs(room, nowMs)) add(barOfPlanned(at, planned, record.id));
  }
  for (const slot of keptSlots(site.queue, nowMs)) if (slot.name.startsWith("~")) add(barOfSetAside(slot));
  for (const [key, job] of seen) add(barOfSeen(at, job, key));
  for (const job of oursAt(projection, site)) {
    add(barOfOurs(at, job));
    for (const run of pastBars([job])) add(run);
  }
  return [...bars.values()];
}

interface Scene {
  readonly projection: Projection;
  readonly site: SiteState;
  /** Facts that the site shows, by the key of the bar. */
  readonly seen: ReadonlyMap<string, SurveyedJob>;
  readonly nowMs: number;
}

function oursAt({ jobs }: Projection, site: SiteState): readonly JobRecord[] {
  if (isForeign(site.spec)) return [...site.own].flatMap((id) => jobs.get(id) ?? []);
  return [...jobs.values()].filter((job) => job.site === site.name);
}

function seenByKey({ jobs }: Projection, { own, observation }: SiteState): ReadonlyMap<string, SurveyedJob> {
  const ours = new Map<string, string>();
  for (const id of own) {
    const job = jobs.get(id);
    if (job !== undefined) ours.set(attemptToken(id, job.attempt), id);
  }
  const keyed = observation.jobs.map((seen): readonly [string, SurveyedJob] => {
    const ourId = seen.token === null ? undefined : ours.get(seen.token);
    return [ourId ?? `~${seen.siteJob}`, seen];
  });
  // A second job with a token of ours is not ours.
  return new Map(keyed.reverse());
}

function barOfPlanned(at: Scene, planned: PlannedJob, inside: string | null): Bar {
  const { job: key, procs, startMs, endMs } = planned;
  const record = at.projection.jobs.get(key);
  const seen = at.seen.get(key);
  const has = { key, procs, startMs, endMs, inside, nodes: [], ...factsOf(at.site, record, seen) };
  const isRunning = record === undefined ? seen?.state === "running" : record.startedAtMs !== null;
  const isKept = planned.state === "held" || planned.state === "suspended";
  if (isKept || startMs === Number.POSITIVE_INFINITY) return { ...has, kind: "held" };
  if (isRunning) return { ...has, kind: "running", startMs: startOf(record, seen) ?? startMs };
  return { ...has, kind: "queued" };
}

function startOf(record: JobRecord | undefined, seen: SurveyedJob | undefined): number | undefined {
  return (record && runsSince(record)) ?? seen?.startedAtMs ?? undefined;
}

function factsOf(
  site: SiteState,
  job: JobRecord | undefined,
  seen: SurveyedJob | undefined,
): Pick<Bar, "facts" | "whose"> {
  if (job !== undefined) {
    const { owner, consumer } = job;
    return {
      facts: seen === undefined ? { job } : { job, seen },
      whose: { owner, consumer, site: site.name },
    };
  }
  if (seen === undefined) return { whose: undefined };
  const consumer = consumerThere(site, seen);
  const whose = consumer === undefined ? {} : { owner: consumer, consumer };
  return { facts: { seen }, whose: { ...whose, site: site.name } };
}

function barOfReservation(reservation: ReservationRecord): Bar {
  const { id: key, procs, startMs, owner, consumer, site, state } = reservation;
  const kind = state === "OFFERED" ? "offer" : "reservation";
  const endMs = endOf(reservation);
  const whose = { owner, consumer, site };
  return { key, kind, procs, startMs, endMs, whose, inside: null, facts: { reservation }, nodes: [] };
}

function barOfSetAside({ name, procs, startMs, endMs }: ReturnType<typeof keptSlots>[number]): Bar {
  return {
    ...{ key: `${name}@${startMs}`, kind: "setAside", procs, startMs, endMs, inside: null, nodes: [] },
    ...{ whose: undefined, facts: { setAside: name.slice(1) } },
  };
}

/** A job that the site shows and that its queue as we play it has no place for: it is in a reservation. */
function barOfSeen({ projection, site, nowMs }: Scene, seen: SurveyedJob, key: string): Bar {
  const job = projection.jobs.get(key);
  const isRunning = seen.state === "running";
  const limitMs = seen.limitMs ?? site.spec.defaultWallTimeMs;
  const reservation = job?.description.reservation;
  const plannedMs = projection.reserved.records.get(reservation ?? "")?.startMs;
  const waits = plannedMs === undefined ? Number.POSITIVE_INFINITY : Math.max(plannedMs, nowMs);
  const startMs = isRunning ? (seen.startedAtMs ?? nowMs) : waits;
  return {
    ...{ key, procs: seen.procs, startMs, endMs: Math.max(startMs + limitMs, nowMs), nodes: [] },
    kind: kindOf(isRunning, startMs),
    inside: reservation ?? null,
    ...factsOf(site, job, seen),
  };
}

function kindOf(isRunning: boolean, startMs: number): Bar["kind"] {
  if (isRunning) return "running";
  return startMs === Number.POSITIVE_INFINITY ? "held" : "queued";
}

/** A job of ours that is in no queue: an enforcer keeps it outside, or somebody holds it. */
function barOfOurs({ site, seen, nowMs }: Scene, job: JobRecord): Bar {
  const { estimateMs } = plannedNeedOf(job, site.spec);
  const never = Number.POSITIVE_INFINITY;
  const startMs = runsSince(job) ?? never;
  const isRunning = job.state === "RUNNING";
  return {
    ...{ key: job.id, procs: job.description.procs, nodes: [], inside: job.description.reservation ?? null },
    ...{ kind: isRunning ? "running" : "held", startMs: isRunning ? startMs : never },
    endMs: isRunning ? Math.max(startMs + estimateMs, nowMs) : never,
    ...factsOf(site, job, seen.get(job.id)),
  };
}
