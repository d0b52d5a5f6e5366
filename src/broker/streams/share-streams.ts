/**
 * Sends the streams of a site their rates and quotas.
 *
 * Rates and quotas are recomputed when a stream starts, ends, halts, resumes or changes, and at least every
 * five seconds, which renews the leases. If a utility is not concave, a thread searches for the rates; until
 * it answers, the previous rates apply, adjusted to the streams that run now.
 */

import { query } from "../../engine/index.ts";
import {
  type LiveStream,
  type StreamFigures,
  type StreamPoolSpec,
  type StreamRecord,
  storageBesideBlocks,
} from "../../model/index.ts";
import type { Clock, Round } from "../../runtime/index.ts";
import { allocateBandwidth, hasExactRates, STREAM_RULES } from "../../stream/index.ts";
import { createRateSearch } from "./rates-thread.ts";
import { writeOrders } from "./stream-files.ts";
import type { StreamSteps } from "./stream-steps.ts";

/** A site whose streams are sent their shares. */
interface SharedSite {
  readonly name: string;
  readonly pool: StreamPoolSpec;
  readonly figures: ReadonlyMap<string, StreamFigures>;
}

/** Sends shares, site by site. */
export interface StreamShares {
  readonly send: (site: SharedSite, streams: readonly StreamRecord[]) => Promise<void>;
  /** True where the wrappers obey quotas that leave room for the streams that are to start. */
  readonly mayStart: (site: SharedSite, streams: readonly StreamRecord[]) => boolean;
  readonly stop: () => Promise<void>;
}

/** Shares of a site as they were last sent. */
interface SiteShares {
  sentAtMs: number;
  /** Key of the streams and their states for which the shares were computed. */
  key: string;
  /** Key for which rates were searched for, or found. */
  searchedKey: string;
  rates: ReadonlyMap<string, number>;
  /** Quotas by stream; undefined before the first are set: those that the wrappers report apply. */
  quotas: ReadonlyMap<string, number> | undefined;
  movedAtMs: number;
}

/** Creates the sender of shares; nothing is sent yet. */
export function createStreamShares({
  round,
  clock,
  steps,
}: {
  readonly round: Round;
  readonly clock: Clock;
  readonly steps: Pick<StreamSteps, "take">;
}): StreamShares {
  const search = createRateSearch();
  const sites = new Map<string, SiteShares>();
  let serial = clock.nowMs();
  const nextSerial = (): number => {
    serial = Math.max(serial + 1, clock.nowMs());
    return serial;
  };
  /** Starts a search where the rates of these streams need one; what it finds is sent with the next look. */
  const searchRates = (shares: SiteShares, question: Asked): void => {
    const there = query(round.projection, { name: "streamSessions", question }, round.nowMs());
    if (there === undefined || shares.searchedKey === shares.key || hasExactRates(there.sessions)) return;
    const { jobs, sessions, inboundBytesPerSec } = there;
    const { key } = shares;
    shares.searchedKey = key;
    void search.find({ sessions, inboundBytesPerSec }).then((found) => {
      if (shares.key !== key) return;
      // Without the thread there are the rates of the concave envelope.
      const rates = found ?? allocateBandwidth(sessions, { inboundBytesPerSec }).bytesPerSec;
      const { rates: last } = shares;
      shares.rates = new Map(
        jobs.map((job, at) => [job, sessions[at].isHalted === true ? (last.get(job) ?? 0) : rates[at]]),
      );
      shares.sentAtMs = Number.NEGATIVE_INFINITY;
    });
  };
  return {
    send: async ({ name, pool, figures }, streams) => {
      const running = runningAmong(round, streams, figures);
      const now = doing(running, figures);
      const isStarting = streams.some(({ admittedAtMs, job }) => admittedAtMs !== null && !now.has(job));
      const key = keyOf(running, now);
      const shares = sites.get(name) ?? nothingSent();
      sites.set(name, shares);
      const atMs = performance.now();
      const isRecent = !isStarting && atMs - shares.sentAtMs < STREAM_RULES.allocationPeriodMs;
      const isMoveDue = atMs - shares.movedAtMs >= STREAM_RULES.storageMove.periodMs;
      if (running.length === 0 || (shares.key === key && isRecent)) return;
      Object.assign(shares, { sentAtMs: atMs, key });
      if (isMoveDue) shares.movedAtMs = atMs;
      const quotas = shares.quotas ?? reportedQuotas(now);
      const question = { site: name, now, rates: shares.rates, quotas, isMoveDue };
      const records = new Map(running.map((it) => [it.job, it]));
      const allocations = query(round.projection, { name: "streamAllocations", question }, round.nowMs());
      for (const { job, bytesPerSec, quotaBytes } of allocations) {
        const { isPaused = false, isDraining = false, stream } = records.get(job) ?? {};
        const end = isDraining ? ({ end: "drain" } as const) : {};
        // Unsent results and outputs between stages have shares of their own; the quota is that of blocks.
        const forBlocks = quotaBytes - (stream === undefined ? 0 : storageBesideBlocks(stream));
        const orders = { bytesPerSec, quotaBytes: forBlocks, isPaused, ...end };
        const write = () => writeOrders(pool, job, { serial: nextSerial(), ...orders });
        await steps.take(job, "orders", write);
      }
      shares.quotas = new Map(allocations.map(({ job, quotaBytes }) => [job, quotaBytes]));
      shares.rates = new Map(allocations.map(({ job, bytesPerSec }) => [job, bytesPerSec]));
      searchRates(shares, { ...question, rates: shares.rates });
    },
    mayStart: (site, streams) => mayStart(round, site, streams),
    stop: search.stop,
  };
}

interface Asked {
  readonly site: string;
  readonly now: Doing;
  readonly rates: ReadonlyMap<string, number>;
}

/** Current figures and states of streams, by their jobs. */
type Doing = ReadonlyMap<string, ReturnType<typeof nowOf>>;

/** Streams whose wrappers run and report. */
function runningAmong(
  { projection }: Round,
  streams: readonly StreamRecord[],
  figures: SharedSite["figures"],
) {
  return streams.filter(({ job, admittedAtMs, trials = [] }) => {
    const isRunning = trials.length > 0 || projection.jobs.get(job)?.state === "RUNNING";
    return admittedAtMs !== null && isRunning && figures.has(job);
  });
}

function mayStart(round: Round, { name: site, figures }: SharedSite, streams: readonly StreamRecord[]) {
  const now = doing(runningAmong(round, streams, figures), figures);
  return query(round.projection, { name: "streamsMayStart", question: { site, now } }, round.nowMs());
}

function nothingSent(): SiteShares {
  const never = Number.NEGATIVE_INFINITY;
  return { sentAtMs: never, key: "", searchedKey: "", rates: new Map(), quotas: undefined, movedAtMs: 0 };
}

function doing(running: readonly StreamRecord[], figures: SharedSite["figures"]): Doing {
  return new Map(running.map(({ job, stream }) => [job, nowOf(stream, figures.get(job))]));
}

function reportedQuotas(now: Doing): ReadonlyMap<string, number> {
  return new Map([...now].map(([job, { quotaBytes }]) => [job, quotaBytes]));
}

/** Everything that rates depend on: shares of another key are solved anew. */
function keyOf(running: readonly StreamRecord[], now: Doing): string {
  return JSON.stringify(
    running.map(({ job, isPaused, isDraining, stream }) => [
      ...[job, now.get(job)?.isHalted, isPaused, isDraining],
      boundsOf(stream),
    ]),
  );
}

function boundsOf({ weight, minBytesPerSec, maxBytesPerSec }: LiveStream) {
  return [weight, minBytesPerSec, maxBytesPerSec];
}

function betweenStages(figures: StreamFigures | undefined): number {
  return (figures?.stages ?? []).reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
}

function nowOf(stream: LiveStream, figures: StreamFigures | undefined) {
  const isHalted = figures?.state === "halted" || figures?.state === "diskFull";
  const processed = figures?.processedBytesPerSec ?? 0;
  return {
    isHalted,
    occupiedBytes: (figures?.occupiedBytes ?? 0) + (figures?.unsentBytes ?? 0) + betweenStages(figures),
    quotaBytes: (figures?.quotaBytes ?? 0) + storageBesideBlocks(stream),
    ...(processed > 0 ? { processedBytesPerSec: processed } : {}),
  };
}
