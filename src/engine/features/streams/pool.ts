/**
 * The pool of a site for streams, and how it is shared: `src/stream` on what the broker knows.
 *
 * Admission counts the minima of the streams that run; processors are those that neither jobs of the site's
 * queue nor streams occupy. Rates follow from weights and utilities, storage from need.
 */
import {
  isFinal,
  type JobRecord,
  type LiveStream,
  type StreamPoolSpec,
  type StreamRecord,
} from "../../../model/index.ts";
import {
  allocateBandwidth,
  describedUtility,
  type HeldResources,
  hasExactRates,
  neverMet,
  repairedRates,
  type Selection,
  type Session,
  STREAM_RULES,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
  selectStreams,
  type WaitingStream,
  weightAt,
} from "../../../stream/index.ts";
import type { Projection } from "../../state/projection.ts";
import { endOf, heldAt } from "../../state/reserved.ts";
import { plannedNeedOf } from "../../state/site-state.ts";
import { classOfJob, type PoolAt, procsByClass, procsHeld, rankedClasses } from "./classes.ts";
import { leastStorage, mayStartAt, quotasAt, type StorageNow } from "./storage.ts";

/** Name of the only link of a pool. */
const LINK = "inbound";
/** Utility of streams that were recorded without one: logarithmic, in units of 1 MB/s. */
const USUAL_UTILITY = { kind: "log", unitBytesPerSec: 1_000_000 } as const;

/** Resources that a stream may use. */
interface StreamAllocation {
  readonly job: string;
  readonly bytesPerSec: number;
  readonly quotaBytes: number;
}

/** Records of the streams of a site that are not over. */
export function streamsAt({ books }: Projection, site: string): readonly StreamRecord[] {
  return [...books.streams.values()].filter((it) => it.site === site && it.endedAtMs === null);
}

/** Resources that a stream lacks even at an empty site; empty where it fits. */
export function neverFits(projection: Projection, at: PoolAt, stream: StreamRecord["stream"]) {
  return neverMet(needOf(projection, at, { id: "", stream, nowMs: 0 }), poolOf(at)).map(shortageOf);
}

/** Description of a site that takes streams; undefined for any other. */
export function poolAt({ sites }: Projection, site: string): PoolAt | undefined {
  const spec = sites.get(site)?.spec;
  return spec?.streams === undefined ? undefined : { site, spec, pool: spec.streams };
}

/** Streams that are admitted now, those that resources are reserved for, and what the others lack. */
export function selectionAt(projection: Projection, site: string, nowMs: number): Selection | undefined {
  const at = poolAt(projection, site);
  if (at === undefined) return undefined;
  const waiting = streamsAt(projection, site).filter(
    (it) => it.admittedAtMs === null && projection.jobs.get(it.job)?.state === "HELD",
  );
  return selectStreams({
    pool: poolOf(at),
    running: runningAt(projection, site, nowMs),
    waiting: waiting.map((it) => waitingOf(projection, at, it, nowMs)),
    reservations: waiting.flatMap(({ job: id, reservation }) =>
      reservation === undefined ? [] : [{ id, ...reservation }],
    ),
    nowMs,
    rules: STREAM_RULES,
  });
}

/** Streams that are admitted at a site, its running jobs and its reservations, with what they have. */
export function runningAt(projection: Projection, site: string, nowMs: number): readonly HeldResources[] {
  const isLiving = ({ job }: StreamRecord): boolean => {
    const record = projection.jobs.get(job);
    return record !== undefined && !isFinal(record.state);
  };
  const at = poolAt(projection, site);
  if (at === undefined) return [];
  const admitted = streamsAt(projection, site).filter((it) => it.admittedAtMs !== null && isLiving(it));
  const reserved = reservedAt(projection, at, nowMs);
  return [...admitted.map((it) => heldOf(it, at)), ...othersAt(projection, at), ...reserved];
}

/** The streams of a site that run, as sessions on its link. */
export interface RunningSessions {
  readonly jobs: readonly string[];
  readonly sessions: readonly Session[];
  readonly inboundBytesPerSec: number;
}

/** Arguments for the rates and quotas of the running streams of a site. */
export interface RunningStreams extends StorageNow {
  readonly site: string;
  /** Current rates by stream; new streams have none. */
  readonly rates?: ReadonlyMap<string, number>;
}

/** Sessions of the streams that run: what their rates are found from. */
export function sessionsAt(
  projection: Projection,
  { site, now, rates }: RunningStreams,
  nowMs: number,
): RunningSessions | undefined {
  const spec = projection.sites.get(site)?.spec.streams;
  if (spec === undefined) return undefined;
  const inboundBytesPerSec = inboundOf(spec);
  const running = streamsAt(projection, site).filter(({ job }) => now.has(job));
  const sessions = running.map(({ job, stream, submittedAtMs, isPaused, isDraining }) => {
    const last = rates?.get(job);
    return {
      minBytesPerSec: stream.minBytesPerSec,
      maxBytesPerSec: stream.maxBytesPerSec ?? inboundBytesPerSec,
      isHalted: isPaused || isDraining || now.get(job)?.isHalted === true,
      utility: describedUtility(
        stream.utility ?? USUAL_UTILITY,
        weightAt({ ...stream, weightStep: 0, submittedMs: submittedAtMs }, nowMs),
      ),
      ...(last === undefined ? {} : { lastBytesPerSec: last }),
    };
  });
  return { jobs: running.map(({ job }) => job), sessions, inboundBytesPerSec };
}

/** Rates and quotas of running streams: exact for concave utilities, else the previous ones, adjusted. */
export function allocationsAt(
  projection: Projection,
  question: RunningStreams,
  nowMs: number,
): readonly StreamAllocation[] {
  const { site, now } = question;
  const there = sessionsAt(projection, question, nowMs);
  const spec = projection.sites.get(site)?.spec.streams;
  if (there === undefined || spec === undefined || there.jobs.length === 0) return [];
  const { sessions, inboundBytesPerSec: inbound } = there;
  const rates = hasExactRates(sessions)
    ? allocateBandwidth(sessions, { inboundBytesPerSec: inbound }).bytesPerSec
    : repairedRates(sessions, inbound);
  const pool = { spec, there: streamsAt(projection, site), inboundBytesPerSec: inbound };
  const quotas = quotasAt(projection, pool, question);
  const running = pool.there.filter(({ job }) => now.has(job));
  return running.map(({ job, stream, isPaused, isDraining }, at) => ({
    job,
    // A halted transfer has its minimum at once when it resumes ([STREAM] 3.5).
    bytesPerSec: isPaused || isDraining ? 0 : Math.max(rates[at], stream.minBytesPerSec),
    quotaBytes: quotas[at],
  }));
}

/** True where the storage of the streams that run leaves room for those that are to start. */
export function mayStart(
  projection: Projection,
  { site, now }: Pick<RunningStreams, "site" | "now">,
): boolean {
  const spec = projection.sites.get(site)?.spec.streams;
  if (spec === undefined) return false;
  const there = streamsAt(projection, site);
  return mayStartAt(projection, { spec, there, inboundBytesPerSec: inboundOf(spec) }, now);
}

/** Bandwidth of the link that is allocated to streams. */
function inboundOf({ inboundBytesPerSec }: StreamPoolSpec): number {
  return inboundBytesPerSec - Math.ceil(inboundBytesPerSec * STREAM_RULES.linkMargin);
}

/** A shortage in the model's words. */
export function shortageOf({ resource, needed, available }: StreamShortage) {
  return { resource, needed, available };
}

/** Total resources of a site for streams. */
export function poolOf(at: PoolAt): StreamPool {
  return {
    procs: procsByClass(at),
    inboundBytesPerSec: { [LINK]: inboundOf(at.pool) },
    storageBytes: at.pool.storageBytes,
  };
}

/** Minima of a stream, and the classes on which it can run, the fastest first. */
export function needOf(
  projection: Projection,
  at: PoolAt,
  { id, stream, nowMs }: { readonly id: string; readonly stream: LiveStream; readonly nowMs: number },
): StreamNeed {
  const { procs, minBytesPerSec } = stream;
  return {
    ...{ id, procs, link: LINK, bytesPerSec: minBytesPerSec, storageBytes: leastStorage(stream) },
    classes: rankedClasses(projection, at, stream, nowMs).map(({ className }) => className),
    isOneClass: true,
  };
}

function waitingOf(projection: Projection, at: PoolAt, record: StreamRecord, nowMs: number): WaitingStream {
  const { job, stream, submittedAtMs: submittedMs, reservationExpiredAtMs: expiredMs } = record;
  const { weight, weightStep, weightPeriodMs } = stream;
  const need = needOf(projection, at, { id: job, stream, nowMs });
  const waiting = { ...need, weight, weightStep, weightPeriodMs, submittedMs };
  return expiredMs === undefined ? waiting : { ...waiting, expiredMs };
}

/** Minimum resources of an admitted stream. */
export function heldOf(record: StreamRecord, at: PoolAt): HeldResources {
  const { job: id, stream } = record;
  return {
    ...{ id, procs: procsHeld(record, at), link: LINK, bytesPerSec: stream.minBytesPerSec },
    storageBytes: leastStorage(stream),
  };
}

/** Jobs of the site that run outside of reservations and are no streams, as holders of processors. */
function othersAt({ jobs, books, reserved }: Projection, at: PoolAt): readonly HeldResources[] {
  const isOther = ({ id, site, state, description: { reservation = "" } }: JobRecord): boolean => {
    const isRunning = site === at.site && (state === "RUNNING" || state === "SUSPENDED");
    return isRunning && !books.streams.has(id) && !reserved.records.has(reservation);
  };
  return [...jobs.values()].filter(isOther).map((job) => ({
    ...{ id: job.id, procs: { [classOfJob(job, at)]: job.description.procs } },
    ...{ link: LINK, bytesPerSec: 0, storageBytes: 0 },
  }));
}

/** Reservations and offers that begin before the shortest waiting stream would end. */
function reservedAt(projection: Projection, at: PoolAt, nowMs: number): readonly HeldResources[] {
  const held = heldAt(projection.reserved, at.site);
  if (held.length === 0) return [];
  const limits = streamsAt(projection, at.site).flatMap(({ job, admittedAtMs }) => {
    const record = admittedAtMs === null ? projection.jobs.get(job) : undefined;
    return record === undefined ? [] : [plannedNeedOf(record, at.spec).estimateMs];
  });
  const untilMs = nowMs + (limits.length === 0 ? 0 : Math.min(...limits));
  return held
    .filter((it) => it.startMs <= untilMs && endOf(it) > nowMs)
    .map(({ id, procs }) => ({
      ...{ id, procs: { [classOfJob({}, at)]: procs }, link: LINK, bytesPerSec: 0, storageBytes: 0 },
    }));
}
