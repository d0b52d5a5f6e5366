/**
 * Carries out what is decided about streams: admits them, shares out rates and storage, notes their ends.
 *
 * Every second the wrappers' reports are read; allocations are solved anew when a stream came, went, was
 * halted, resumed or changed, and at least every five seconds, which renews the leases. A broker that dies
 * leaves wrappers that fall to their minima after the lease and go on; the next one reads their reports.
 */

import { query } from "../../engine/index.ts";
import type { LiveStream, StreamFigures, StreamPoolSpec, StreamRecord } from "../../model/index.ts";
import { isFinal } from "../../model/index.ts";
import type { Clock, Round } from "../../runtime/index.ts";
import { STREAM_RULES } from "../../stream/index.ts";
import { messageOf } from "../job-order.ts";
import { readReport, removeStream, writeOrder, writeOrders } from "./stream-files.ts";

const EVERY_MS = 1000;
/** Time after which a stream whose job never came counts as ended. */
const NO_JOB_MS = 60_000;

/** Keeper of the streams of a broker. */
export interface StreamKeeper {
  /** Last report of a stream's wrapper; undefined before the first. */
  readonly figures: (job: string) => StreamFigures | undefined;
  readonly stop: () => Promise<void>;
}

interface KeeperWorld {
  readonly round: Round;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** Allocation of a site as it was last sent. */
interface Sent {
  readonly atMs: number;
  readonly key: string;
}

/** Begins to keep streams. */
export function keepStreams(world: KeeperWorld): StreamKeeper {
  const figures = new Map<string, StreamFigures>();
  const sent = new Map<string, Sent>();
  const released = new Set<string>();
  let serial = world.clock.nowMs();
  let looking: Promise<void> | undefined;
  const nextSerial = (): number => {
    serial = Math.max(serial + 1, world.clock.nowMs());
    return serial;
  };
  const lookAtAll = async (): Promise<void> => {
    for (const { name, spec } of world.round.projection.sites.values()) {
      if (spec.streams === undefined) continue;
      const site: Site = {
        ...world,
        name,
        pool: spec.streams,
        figures,
        sent,
        released,
        nextSerial,
      };
      try {
        await look(site);
      } catch (error) {
        world.warn(`streams at ${name}: ${messageOf(error)}`);
      }
    }
  };
  const timer = setInterval(() => {
    looking ??= lookAtAll().finally(() => {
      looking = undefined;
    });
  }, EVERY_MS);
  return {
    figures: (job) => figures.get(job),
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

interface Site extends KeeperWorld {
  readonly name: string;
  readonly pool: StreamPoolSpec;
  readonly figures: Map<string, StreamFigures>;
  readonly sent: Map<string, Sent>;
  /** Admitted streams whose job was released in this life of the broker. */
  readonly released: Set<string>;
  readonly nextSerial: () => number;
}

async function look(site: Site): Promise<void> {
  const there = ask(site, "streamsAt", site.name);
  if (there.length === 0) return;
  for (const stream of there) {
    const report = stream.admittedAtMs === null ? undefined : await readReport(site.pool, stream.job);
    if (report !== undefined) site.figures.set(stream.job, report);
    await endIfOver(site, stream);
  }
  await admit(site);
  await allocate(site);
}

/** Notes the end of a stream whose job is over. */
async function endIfOver(
  { round, pool, figures }: Site,
  { job, submittedAtMs }: StreamRecord,
): Promise<void> {
  const record = round.projection.jobs.get(job);
  if (record !== undefined && !isFinal(record.state)) return;
  if (record === undefined && round.nowMs() - submittedAtMs < NO_JOB_MS && !figures.has(job)) return;
  const last = figures.get(job) ?? null;
  await round.ask({ kind: "endStream", job, last });
  await removeStream(pool, job, (last?.setAside ?? 0) > 0);
  figures.delete(job);
}

/** Admits who fits now; its job is released when the order of its wrapper is there. */
async function admit(site: Site): Promise<void> {
  const { round, pool, name, released } = site;
  await round.ask({ kind: "selectStreams", site: name });
  for (const { job, stream, admittedAtMs } of ask(site, "streamsAt", name)) {
    if (admittedAtMs === null || released.has(job)) continue;
    released.add(job);
    if (round.projection.jobs.get(job)?.state !== "HELD") continue;
    await writeOrder(pool, job, stream);
    await round.ask({ kind: "release", job });
  }
}

/** Solves the shares of a site's streams, and sends them where something changed or leases run out. */
async function allocate(site: Site): Promise<void> {
  const { round, name, pool, figures, sent } = site;
  const running = ask(site, "streamsAt", name).filter(
    ({ job, admittedAtMs }) =>
      admittedAtMs !== null && round.projection.jobs.get(job)?.state === "RUNNING" && figures.has(job),
  );
  const now = new Map(running.map(({ job }) => [job, nowOf(figures.get(job))]));
  const key = JSON.stringify(
    running.map((it) => [it.job, now.get(it.job)?.isHalted, it.isPaused, it.isDraining, boundsOf(it.stream)]),
  );
  const before = sent.get(name);
  const atMs = performance.now();
  if (running.length === 0 || (before?.key === key && atMs - before.atMs < STREAM_RULES.allocationPeriodMs))
    return;
  sent.set(name, { atMs, key });
  const records = new Map(running.map((it) => [it.job, it]));
  for (const { job, bytesPerSec, quotaBytes } of ask(site, "streamAllocations", { site: name, now })) {
    const { isPaused = false, isDraining = false } = records.get(job) ?? {};
    const end = isDraining ? ({ end: "drain" } as const) : {};
    await writeOrders(pool, job, { serial: site.nextSerial(), bytesPerSec, quotaBytes, isPaused, ...end });
  }
}

function boundsOf({ weight, minBytesPerSec, maxBytesPerSec }: LiveStream) {
  return [weight, minBytesPerSec, maxBytesPerSec];
}

function nowOf(figures: StreamFigures | undefined) {
  const isHalted = figures?.state === "halted" || figures?.state === "diskFull";
  const processed = figures?.processedBytesPerSec ?? 0;
  return {
    isHalted,
    occupiedBytes: figures?.occupiedBytes ?? 0,
    ...(processed > 0 ? { processedBytesPerSec: processed } : {}),
  };
}

function ask<Name extends "streamsAt" | "streamAllocations">(
  { round }: KeeperWorld,
  name: Name,
  question: Parameters<typeof query<Name>>[1] extends { readonly question: infer Asked } ? Asked : never,
) {
  return query(round.projection, { name, question }, round.nowMs());
}
