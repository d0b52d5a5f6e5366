/**
 * Events at a site between two snapshots: submissions, starts, ends.
 *
 * A snapshot shows the states of jobs, so events are its differences from the last one, at the times that the
 * site gives. A job counts as submitted once it could start, not while it is held or waits for other jobs. A
 * job that vanishes while it waits was withdrawn, unless the site reports its end. A short job between two
 * snapshots is missed, and with rare snapshots so are short waits.
 * Cost: O(jobs) a look.
 */
import { isFinal, type JobRecord, type SiteOffer } from "../../model/index.ts";
import type { JobEvent } from "../../predict/index.ts";
import type { Survey, SurveyedJob } from "../survey.ts";
import { factsOf, inOrderOfTime, ONLY_QUEUE, type PastJob, partsOf } from "./past-jobs.ts";
import type { SeenEvent } from "./site-history.ts";

/** Known jobs of a site. */
export interface SnapshotDiff {
  /** By the name under which the next look shows a job. */
  readonly jobs: Map<string, SeenJob>;
  /** Jobs that were seen held: once let go they count from then on. */
  readonly held: Set<string>;
  /** No look was taken in yet: what it shows was there before. */
  isFirst: boolean;
}

interface SeenJob {
  /** Job name in events: that of its first snapshot. */
  readonly id: string;
  readonly startedAtMs: number | null;
}

/** State of a job, from a snapshot or a record. */
type Standing = Omit<PastJob, "endedAtMs"> & {
  /** True if the site gives the instant since which the job could start, not only that of its submission. */
  readonly isTimeExact?: boolean;
};

/** Clocks and roundings may differ by so much in what is one start. */
const SAME_START_MS = 2000;

/** Nobody is known; `running` are jobs of the past that had not ended. */
export function createSnapshotDiff(past: readonly PastJob[] = []): SnapshotDiff {
  const jobs = new Map<string, SeenJob>();
  for (const { id, startedAtMs, endedAtMs } of past) {
    if (startedAtMs !== null && endedAtMs === null) jobs.set(withoutRun(id), { id, startedAtMs });
  }
  return { jobs, held: new Set(), isFirst: true };
}

/** Events at a foreign site since the last snapshot, in order of time. */
export function lookAgain(sightings: SnapshotDiff, survey: Survey, offer: SiteOffer): readonly SeenEvent[] {
  const { jobs, held, isFirst } = sightings;
  const found: Found = { sightings, atMs: survey.atMs, events: [], late: new Set() };
  const shown = new Map(survey.jobs.map((job) => [nameShown(job.siteJob), job]));
  const unseen = new Map([...jobs].filter(([name]) => !shown.has(name)));
  for (const [name, job] of shown) {
    if (isHeld(job, survey.atMs)) {
      held.add(name);
      if (jobs.get(name)?.startedAtMs === null) leave(found, name, survey.atMs);
    } else if (job.state !== "unknown") see(found, name, { job: standingOf(job, offer), unseen });
  }
  leaveAll(found, unseen, survey);
  for (const name of held) if (!shown.has(name)) held.delete(name);
  sightings.isFirst = false;
  return inOrderOfTime(found.events).map((event) => {
    const id = event.kind === "submitted" ? event.job.id : event.id;
    return { event, isLate: isFirst || found.late.has(id) };
  });
}

/** Events at a site that follow from a changed record of a Stint job. */
export function noteRecord(
  sightings: SnapshotDiff,
  record: JobRecord,
  offer: SiteOffer,
  nowMs: number,
): readonly SeenEvent[] {
  const { id, state, startedAtMs, endedAtMs, submittedAtMs } = record;
  const { jobs, held, isFirst } = sightings;
  const found: Found = { sightings, atMs: nowMs, events: [], late: new Set() };
  const known = jobs.get(id);
  if (isFinal(state)) {
    if (known?.startedAtMs === null && startedAtMs !== null) start(found, id, startedAtMs);
    if (known !== undefined) leave(found, id, endedAtMs ?? nowMs);
    held.delete(id);
  } else if (state === "HELD" && startedAtMs === null) {
    held.add(id);
    if (known !== undefined) leave(found, id, nowMs);
  } else if (known === undefined || known.startedAtMs === null) {
    const job = { ...partsOf(record, offer), eligibleAtMs: submittedAtMs, startedAtMs };
    see(found, id, { job, unseen: new Map() });
  }
  return found.events.map((event) => ({ event, isLate: isFirst }));
}

/** Name in events of a job that waits, by its name at a foreign site, else its id; undefined for others. */
export function waitingInEvents({ jobs }: SnapshotDiff, name: string): string | undefined {
  const known = jobs.get(nameShown(name));
  return known?.startedAtMs === null ? known.id : undefined;
}

interface Found {
  readonly sightings: SnapshotDiff;
  readonly atMs: number;
  readonly events: JobEvent[];
  /** Names in events of jobs that must have been missed for a while. */
  readonly late: Set<string>;
}

interface Sight {
  readonly job: Standing;
  /** Known jobs that are not shown any more under that name. */
  readonly unseen: Map<string, SeenJob>;
}

function see(found: Found, name: string, { job, unseen }: Sight): void {
  const { jobs } = found.sightings;
  const known = jobs.get(name) ?? renamed(found, name, unseen);
  if (known === undefined) {
    come(found, name, job);
  } else if (known.startedAtMs === null) {
    if (job.startedAtMs !== null) start(found, name, job.startedAtMs);
  } else if (job.startedAtMs === null || Math.abs(job.startedAtMs - known.startedAtMs) > SAME_START_MS) {
    // It ran, and does again or is to: for predictions another job.
    leave(found, name, Math.min(found.atMs, job.startedAtMs ?? found.atMs));
    come(found, name, { ...job, eligibleAtMs: Math.min(found.atMs, job.startedAtMs ?? found.atMs) });
  }
}

/** A task of an array gets its own name when it starts: one of those that waited is it. */
function renamed(found: Found, name: string, unseen: Map<string, SeenJob>): SeenJob | undefined {
  const [array = "", task] = name.split("_");
  if (task === undefined) return undefined;
  for (const [before, job] of unseen) {
    if (job.startedAtMs !== null || !before.startsWith(`${array}#`)) continue;
    unseen.delete(before);
    found.sightings.jobs.delete(before);
    found.sightings.jobs.set(name, job);
    return job;
  }
  return undefined;
}

function come(found: Found, name: string, job: Standing): void {
  const { sightings, events, atMs } = found;
  const { startedAtMs } = job;
  const isLetGo = sightings.held.delete(name) && job.isTimeExact !== true;
  const since = isLetGo ? (startedAtMs ?? atMs) : Math.min(job.eligibleAtMs, startedAtMs ?? atMs);
  // Two runs of one job must not meet under one name.
  const id = `${job.id}@${since}`;
  sightings.jobs.set(name, { id, startedAtMs });
  events.push({ kind: "submitted", atMs: since, job: factsOf({ ...job, id }) });
  if (startedAtMs !== null) events.push({ kind: "started", atMs: startedAtMs, id });
}

function start({ sightings: { jobs }, events }: Found, name: string, atMs: number): void {
  const known = jobs.get(name);
  if (known === undefined) return;
  jobs.set(name, { ...known, startedAtMs: atMs });
  events.push({ kind: "started", atMs, id: known.id });
}

function leave({ sightings: { jobs }, events }: Found, name: string, atMs: number): void {
  const known = jobs.get(name);
  if (known === undefined) return;
  jobs.delete(name);
  const { id, startedAtMs } = known;
  if (startedAtMs === null) events.push({ kind: "withdrawn", atMs, id });
  else events.push({ kind: "ended", atMs: Math.max(startedAtMs, atMs), id });
}

function leaveAll(found: Found, unseen: ReadonlyMap<string, SeenJob>, { ended, atMs }: Survey): void {
  const ends = new Map(ended.map((end) => [end.siteJob, end]));
  for (const [name, { startedAtMs }] of unseen) {
    const end = ends.get(name);
    const began = end?.startedAtMs ?? null;
    if (startedAtMs === null && began !== null) start(found, name, began);
    leave(found, name, end?.endedAtMs ?? atMs);
  }
}

/** Tasks that wait in an array are told by their number only: `12#3`. */
function nameShown(siteJob: string): string {
  const [task = "", number] = siteJob.split("#");
  return number === undefined ? siteJob : `${task.split("_")[0]}#${number}`;
}

/** An accounting's second run of a job, `17#2`, is job 17 in the queue. */
function withoutRun(id: string): string {
  return id.split("#")[0] ?? id;
}

function isHeld({ state, eligibleAtMs, startedAtMs }: SurveyedJob, atMs: number): boolean {
  if (startedAtMs !== null) return false;
  if (state === "held" || state === "suspended") return true;
  return state === "waiting" && eligibleAtMs !== undefined && (eligibleAtMs === null || eligibleAtMs > atMs);
}

function standingOf(job: SurveyedJob, offer: SiteOffer): Standing {
  const { siteJob, procs, memoryBytes, limitMs, submittedAtMs, startedAtMs, state } = job;
  return {
    id: siteJob,
    queue: job.queue ?? ONLY_QUEUE,
    user: job.user ?? "",
    procs: Math.max(1, procs),
    memoryBytes,
    limitMs: limitMs ?? offer.defaultWallTimeMs,
    eligibleAtMs: Math.max(submittedAtMs, job.eligibleAtMs ?? submittedAtMs),
    startedAtMs: state === "waiting" ? null : startedAtMs,
    isTimeExact: typeof job.eligibleAtMs === "number",
  };
}
