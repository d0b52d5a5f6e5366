/**
 * Streams: recorded with their job, admitted when their minima are free, changed, ended.
 *
 * Admission and allocations are questions to the state; the broker asks them again and again and carries the
 * answers out, since what wrappers report is measured and not recorded. Ended streams stay for a while, the
 * oldest go first.
 */
import { accepted, refused } from "../../../base/index.ts";
import type { StreamChange, StreamRecord, StreamReserved } from "../../../model/index.ts";
import { STREAM_RULES, type StreamReservation } from "../../../stream/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import type { Projection } from "../../state/projection.ts";
import { suitedClasses } from "./classes.ts";
import {
  allocationsAt,
  mayStart,
  neverFits,
  type RunningStreams,
  selectionAt,
  sessionsAt,
  streamsAt,
} from "./pool.ts";
import { admittedOf, recordTrial, rememberedRate, streamClassRates, withoutTrial } from "./try-classes.ts";
import { shortagesOf } from "./wait.ts";

/** Streams that are over and still shown. */
const MOST_ENDED = 1000;

export const streams = {
  name: "streams",
  answers: { recordStream, selectStreams: selectWaiting, recordTrial, changeStream, endStream },
  applies: {
    streamRecorded: (_, { job, site, stream, atMs }) => [
      written("streams", {
        ...{ job, site, stream, submittedAtMs: atMs, admittedAtMs: null, isPaused: false },
        ...{ isDraining: false, endedAtMs: null, last: null },
      }),
    ],
    streamAdmitted: (projection, { job, className, trials, atMs }) => [
      change(
        projection,
        job,
        {
          admittedAtMs: atMs,
          ...(className === undefined ? {} : { className }),
          ...(trials === undefined ? {} : { trials }),
        },
        ["reservation", "reservationExpiredAtMs"],
      ),
    ],
    streamTried: (projection, { job, className, measured, problem, atMs }) => [
      ...withoutTrial(projection, { job, className, ...(problem === undefined ? {} : { problem }) }),
      ...rememberedRate(projection, { job, className, measured, atMs }),
    ],
    streamAssigned: (projection, { job, className }) => [change(projection, job, { className }, ["trials"])],
    streamReserved: (projection, { job, procs, atMs }) => {
      const sinceMs = projection.books.streams.get(job)?.reservation?.sinceMs ?? atMs;
      return [change(projection, job, { reservation: { sinceMs, procs } })];
    },
    streamReservationExpired: (projection, { job, atMs }) => [
      change(projection, job, { reservationExpiredAtMs: atMs }, ["reservation"]),
    ],
    streamChanged: (projection, event) => [change(projection, event.job, changed(projection, event))],
    streamEnded: (projection, { job, last, atMs }) => [
      change(projection, job, { last, endedAtMs: atMs }, ["reservation", "reservationExpiredAtMs"]),
      ...oldest(projection).map(({ job: old }) => erased("streams", old)),
    ],
  },
  queries: {
    /** A stream by its job; undefined where there is none. */
    stream: ({ books }: Projection, job: string) => books.streams.get(job),
    /** Every stream that is known. */
    streams: ({ books }: Projection) => [...books.streams.values()],
    /** Streams of a site that are not over. */
    streamsAt,
    /** Eligible classes of a stream with their rates, the fastest first. */
    streamClassRates,
    /** Rates and quotas of the streams of a site that run. */
    streamAllocations: (projection: Projection, question: RunningStreams, nowMs: number) =>
      allocationsAt(projection, question, nowMs),
    /** True where the streams that run leave the storage of those that are to start. */
    streamsMayStart: (projection: Projection, question: Pick<RunningStreams, "site" | "now">) =>
      mayStart(projection, question),
    /** The sessions of the streams of a site that run, for a search of their rates. */
    streamSessions: (projection: Projection, question: RunningStreams, nowMs: number) =>
      sessionsAt(projection, question, nowMs),
  },
  explain: {
    everywhere: (projection, { id, state, siteJob }, nowMs) => {
      const stream = projection.books.streams.get(id);
      if (stream === undefined || state !== "HELD") return [];
      if (stream.admittedAtMs !== null) {
        // One that was sent to its site and is held there is held by a person.
        if (siteJob !== null) return [];
        const { site, trials: [className, ...others] = [], failedTrials = [] } = stream;
        const failed = failedTrials.map((it) => ({ kind: "streamTrialFailed" as const, ...it }));
        if (className !== undefined) {
          return [{ kind: "streamOnTrial", site, className, left: others.length }, ...failed];
        }
        return [{ kind: "streamWaits", site, shortages: [], isAdmitted: true }, ...failed];
      }
      const short = shortagesOf(projection, stream, nowMs);
      return [{ kind: "streamWaits", site: stream.site, ...short, ...reservedBeside(projection, stream) }];
    },
  },
} as const satisfies Feature;

/** Takes a stream whose job has been submitted and is held, or says why it could never run. */
function recordStream(
  projection: Projection,
  { job, site, stream }: CommandOf<"recordStream">,
  nowMs: number,
): Answer {
  const { sites, books } = projection;
  if (books.streams.has(job)) return refused({ kind: "idInUse", id: job });
  const spec = sites.get(site)?.spec;
  if (spec === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  if (spec.streams === undefined) {
    const known = [...sites.values()].filter((it) => it.spec.streams !== undefined).map(({ name }) => name);
    return refused({ kind: "noStreamPool", site, known });
  }
  const at = { site, spec, pool: spec.streams };
  if (suitedClasses(at, stream).length === 0) {
    const { type, requirements } = stream;
    const asked = {
      ...(type === undefined ? {} : { type }),
      ...(requirements === undefined ? {} : { requirements }),
    };
    const classes = spec.streams.classes?.map(({ name }) => name) ?? [];
    return refused({ kind: "streamUnsuited", site, ...asked, classes });
  }
  const shortages = neverFits(projection, at, stream);
  if (shortages.length > 0) return refused({ kind: "streamNeverFits", site, shortages });
  return accepted([{ kind: "streamRecorded", job, site, stream, atMs: nowMs }]);
}

/** Admits the streams of a site that fit, and notes what those that wait have reserved. */
function selectWaiting(projection: Projection, { site }: CommandOf<"selectStreams">, nowMs: number): Answer {
  const selection = selectionAt(projection, site, nowMs);
  if (selection === undefined) return accepted([]);
  const { selected, reservations, expired } = selection;
  const isNew = ({ id, procs }: StreamReservation): boolean => {
    const there = projection.books.streams.get(id)?.reservation?.procs;
    return there === undefined || procsIn(there) !== procsIn(procs);
  };
  return accepted([
    ...expired.map((job) => ({ kind: "streamReservationExpired" as const, job, atMs: nowMs })),
    ...admittedOf(projection, site, selected, nowMs),
    ...reservations
      .filter(isNew)
      .map(({ id, procs }) => ({ kind: "streamReserved" as const, job: id, procs, atMs: nowMs })),
  ]);
}

/** Reservation of a waiting stream, or else the stream for which resources are reserved. */
function reservedBeside(projection: Projection, { job, site, reservation: own }: StreamRecord) {
  if (own !== undefined) {
    const untilMs = own.sinceMs + STREAM_RULES.reservation.lifeMs;
    return { reserved: { procs: procsIn(own.procs), untilMs } };
  }
  const other = streamsAt(projection, site).find((it) => it.job !== job && it.reservation !== undefined);
  return other === undefined ? {} : { behind: other.job };
}

function procsIn(procs: StreamReserved["procs"]): number {
  return Object.values(procs).reduce((sum, count) => sum + count, 0);
}

function changeStream({ books }: Projection, command: CommandOf<"changeStream">, nowMs: number): Answer {
  const there = books.streams.get(command.job);
  if (there === undefined) return refused({ kind: "unknownStream", job: command.job });
  if (there.endedAtMs !== null) return refused({ kind: "streamOver", job: command.job });
  return accepted([{ ...command, kind: "streamChanged", atMs: nowMs }]);
}

function endStream({ books }: Projection, { job, last }: CommandOf<"endStream">, nowMs: number): Answer {
  const there = books.streams.get(job);
  if (there === undefined || there.endedAtMs !== null) return accepted([]);
  return accepted([{ kind: "streamEnded", job, last, atMs: nowMs }]);
}

/** Stream with changed values. @param gone fields to remove */
function change(
  { books }: Projection,
  job: string,
  part: Partial<StreamRecord>,
  gone: readonly ("reservation" | "reservationExpiredAtMs" | "trials")[] = [],
) {
  const there = books.streams.get(job);
  if (there === undefined) return erased("streams", job);
  const next = { ...there, ...part };
  for (const field of gone) delete next[field];
  return written("streams", next);
}

function changed(
  { books }: Projection,
  event: StreamChange & { readonly job: string },
): Partial<StreamRecord> {
  const { weight, maxBytesPerSec, isPaused, isDraining } = event;
  const there = books.streams.get(event.job);
  if (there === undefined) return {};
  const stream = {
    ...there.stream,
    ...(weight === undefined ? {} : { weight }),
    ...(maxBytesPerSec === undefined ? {} : { maxBytesPerSec }),
  };
  return { stream, isPaused: isPaused ?? there.isPaused, isDraining: isDraining ?? there.isDraining };
}

/** Ended streams beyond those that are kept. */
function oldest({ books }: Projection): readonly StreamRecord[] {
  const ended = [...books.streams.values()].filter(({ endedAtMs }) => endedAtMs !== null);
  const excess = ended.length - MOST_ENDED;
  if (excess <= 0) return [];
  return ended.sort((one, other) => (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0)).slice(0, excess);
}
