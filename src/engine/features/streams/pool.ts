/**
 * The pool of a site for streams, and how it is shared: `src/stream` on what the broker knows.
 *
 * Admission counts the minima of the streams that run; processors are those that neither jobs of the site's
 * queue nor streams occupy. Rates follow from weights by logarithmic utilities, storage from need.
 */
import {
  isFinal,
  type JobRecord,
  type SiteSpec,
  type StreamPoolSpec,
  type StreamRecord,
} from "../../../model/index.ts";
import {
  allocateBandwidth,
  allocateStorage,
  type HeldResources,
  neverMet,
  type Selection,
  STREAM_RULES,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
  selectStreams,
  type WaitingStream,
  weightAt,
} from "../../../stream/index.ts";
import type { Projection } from "../../state/projection.ts";

/** The one link of a pool, and its one class of processors. */
const LINK = "inbound";
const CLASS = "any";
/** A unit of the logarithmic utility: 1 MB/s. */
const UNIT_BYTES_PER_SEC = 1_000_000;

/** What a stream does now, from its wrapper. */
export interface StreamNow {
  readonly isHalted: boolean;
  readonly occupiedBytes: number;
  readonly processedBytesPerSec?: number;
}

/** What a stream may use. */
interface StreamAllocation {
  readonly job: string;
  readonly bytesPerSec: number;
  readonly quotaBytes: number;
}

/** Records of the streams of a site that are not over. */
export function streamsAt({ books }: Projection, site: string): readonly StreamRecord[] {
  return [...books.streams.values()].filter((it) => it.site === site && it.endedAtMs === null);
}

/** What is short for a stream even at an empty site; empty where it fits. */
export function neverFits(spec: SiteSpec, pool: StreamPoolSpec, stream: StreamRecord["stream"]) {
  return neverMet(needOf("", stream), poolOf(spec, pool)).map(shortageOf);
}

/** Who is admitted now, who reserves, and what the others lack. */
export function selectionAt(projection: Projection, site: string, nowMs: number): Selection | undefined {
  const state = projection.sites.get(site);
  if (state?.spec.streams === undefined) return undefined;
  const there = streamsAt(projection, site);
  const isLiving = ({ job }: StreamRecord): boolean => {
    const record = projection.jobs.get(job);
    return record !== undefined && !isFinal(record.state);
  };
  const admitted = there.filter((it) => it.admittedAtMs !== null && isLiving(it));
  const waiting = there.filter(
    (it) => it.admittedAtMs === null && projection.jobs.get(it.job)?.state === "HELD",
  );
  return selectStreams({
    pool: poolOf(state.spec, state.spec.streams),
    running: [...admitted.map(heldOf), ...othersAt(projection, site)],
    waiting: waiting.map(waitingOf),
    reservations: waiting.flatMap(({ job: id, reservation }) =>
      reservation === undefined ? [] : [{ id, ...reservation }],
    ),
    nowMs,
    rules: STREAM_RULES,
  });
}

/** Rates and quotas of the streams that run; solved anew for what they do now. */
export function allocationsAt(
  projection: Projection,
  { site, now }: { readonly site: string; readonly now: ReadonlyMap<string, StreamNow> },
  nowMs: number,
): readonly StreamAllocation[] {
  const spec = projection.sites.get(site)?.spec.streams;
  if (spec === undefined) return [];
  const running = streamsAt(projection, site).filter(({ job }) => now.has(job));
  if (running.length === 0) return [];
  const inbound = inboundOf(spec);
  const rates = allocateBandwidth(
    running.map(({ job, stream, submittedAtMs, isPaused, isDraining }) => ({
      minBytesPerSec: stream.minBytesPerSec,
      maxBytesPerSec: stream.maxBytesPerSec ?? inbound,
      isHalted: isPaused || isDraining || now.get(job)?.isHalted === true,
      utility: {
        kind: "log" as const,
        weight: weightAt({ ...stream, weightStep: 0, submittedMs: submittedAtMs }, nowMs),
        unitBytesPerSec: UNIT_BYTES_PER_SEC,
      },
    })),
    { inboundBytesPerSec: inbound },
  ).bytesPerSec;
  const quotas = allocateStorage(
    running.map(({ job, stream }) => storedOf(stream, now.get(job), inbound)),
    { storageBytes: spec.storageBytes, rules: STREAM_RULES },
  );
  return running.map(({ job, stream, isPaused, isDraining }, at) => ({
    job,
    // A halted transfer has its minimum at once when it resumes ([STREAM] 3.5).
    bytesPerSec: isPaused || isDraining ? 0 : Math.max(rates[at], stream.minBytesPerSec),
    quotaBytes: quotas[at],
  }));
}

/** What streams are given of the link. */
function inboundOf({ inboundBytesPerSec }: StreamPoolSpec): number {
  return inboundBytesPerSec - Math.ceil(inboundBytesPerSec * STREAM_RULES.linkMargin);
}

/** A shortage in the model's words. */
export function shortageOf({ resource, needed, available }: StreamShortage) {
  return { resource, needed, available };
}

function poolOf(spec: SiteSpec, pool: StreamPoolSpec): StreamPool {
  return {
    procs: { [CLASS]: spec.procs },
    inboundBytesPerSec: { [LINK]: inboundOf(pool) },
    storageBytes: pool.storageBytes,
  };
}

function needOf(id: string, { procs, minBytesPerSec, minBytes }: StreamRecord["stream"]): StreamNeed {
  return { id, procs, classes: [CLASS], link: LINK, bytesPerSec: minBytesPerSec, storageBytes: minBytes };
}

function waitingOf({ job, stream, submittedAtMs, reservationExpiredAtMs }: StreamRecord): WaitingStream {
  const { weight, weightStep, weightPeriodMs } = stream;
  const [submittedMs, expiredMs] = [submittedAtMs, reservationExpiredAtMs];
  const waiting = { ...needOf(job, stream), weight, weightStep, weightPeriodMs, submittedMs };
  return expiredMs === undefined ? waiting : { ...waiting, expiredMs };
}

function heldOf({ job, stream }: StreamRecord): HeldResources {
  const { procs, minBytesPerSec, minBytes } = stream;
  return {
    id: job,
    procs: { [CLASS]: procs },
    link: LINK,
    bytesPerSec: minBytesPerSec,
    storageBytes: minBytes,
  };
}

/** Jobs of the site that run and are no streams, as holders of processors. */
function othersAt({ jobs, books }: Projection, site: string): readonly HeldResources[] {
  const isOther = ({ id, site: at, state }: JobRecord): boolean =>
    at === site && (state === "RUNNING" || state === "SUSPENDED") && !books.streams.has(id);
  return [...jobs.values()].filter(isOther).map(({ id, description }) => ({
    ...{ id, procs: { [CLASS]: description.procs }, link: LINK, bytesPerSec: 0, storageBytes: 0 },
  }));
}

function storedOf(stream: StreamRecord["stream"], now: StreamNow | undefined, inbound: number) {
  return {
    minBytes: stream.minBytes,
    ...(stream.maxBytes === undefined ? {} : { maxBytes: stream.maxBytes }),
    occupiedBytes: now?.occupiedBytes ?? 0,
    maxBytesPerSec: stream.maxBytesPerSec ?? inbound,
    ...(now?.processedBytesPerSec === undefined ? {} : { processedBytesPerSec: now.processedBytesPerSec }),
  };
}
