/**
 * Carries out what is decided about streams: admits them, shares out rates and storage, notes their ends.
 *
 * Every second the wrappers' reports are read, who fits is admitted, and shares are sent. A broker that dies
 * leaves wrappers that fall to their minima after the lease and go on; the next one reads their reports.
 */

import { messageOf } from "../../base/index.ts";
import { query } from "../../engine/index.ts";
import type { JobRecord, StreamFigures, StreamPoolSpec, StreamRecord } from "../../model/index.ts";
import { isFinal } from "../../model/index.ts";
import type { Clock, Round } from "../../runtime/index.ts";
import type { Sandboxes } from "../sandbox.ts";
import { figuresNow } from "./figures-now.ts";
import { cancelTrial, runTrial } from "./run-trials.ts";
import { createStreamShares, type StreamShares } from "./share-streams.ts";
import { readReport, removeStream, writeOrder } from "./stream-files.ts";
import { createStreamSteps, type StreamSteps } from "./stream-steps.ts";

const EVERY_MS = 1000;
/** Time after which a stream whose job never came counts as ended. */
const NO_JOB_MS = 60_000;

/** Keeper of the streams of a broker. */
export interface StreamKeeper {
  /** Last report of a stream's wrapper; undefined before the first. */
  readonly figures: (job: string) => StreamFigures | undefined;
  /** Problem of the broker with a stream, while it lasts. */
  readonly problem: StreamSteps["problem"];
  /** Notes the end of a stream whose job is over, before the next second. */
  readonly noteEnd: (job: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface KeeperWorld {
  readonly round: Round;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Command that starts Stint on this machine. */
  readonly program: readonly string[];
  /** Looks up a job, including one that has ended. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly sandboxes: Sandboxes;
}

/** Begins to keep streams. */
export function keepStreams(world: KeeperWorld): StreamKeeper {
  const figures = new Map<string, StreamFigures>();
  const released = new Set<string>();
  const steps = createStreamSteps({ nowMs: () => world.round.nowMs(), warn: world.warn });
  const shares = createStreamShares({ ...world, steps });
  let looking: Promise<void> | undefined;
  const lookAtAll = async (): Promise<void> => {
    for (const { name, spec } of world.round.projection.sites.values()) {
      if (spec.streams === undefined) continue;
      const site: Site = {
        ...world,
        name,
        pool: spec.streams,
        figures,
        released,
        shares,
        steps,
      };
      try {
        await look(site);
      } catch (error) {
        world.warn(`streams at ${name}: ${messageOf(error)}`);
      }
    }
  };
  const lookOnce = (): Promise<void> => {
    looking ??= lookAtAll().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(() => void lookOnce(), EVERY_MS);
  return {
    figures: (job) => figuresNow(world.round.projection.jobs.get(job), figures.get(job)),
    problem: steps.problem,
    noteEnd: async (job) => {
      const { round } = world;
      const record = query(round.projection, { name: "stream", question: job }, round.nowMs());
      if (record === undefined || record.endedAtMs !== null || !isJobOver(round, job)) return;
      // One that is under way may have read the report before the end.
      await looking;
      await lookOnce();
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
      await shares.stop();
    },
  };
}

interface Site extends KeeperWorld {
  readonly name: string;
  readonly pool: StreamPoolSpec;
  readonly figures: Map<string, StreamFigures>;
  /** Admitted streams whose job was released in this life of the broker. */
  readonly released: Set<string>;
  readonly shares: StreamShares;
  readonly steps: StreamSteps;
}

async function look(site: Site): Promise<void> {
  const there = streamsOf(site);
  if (there.length === 0) return;
  for (const stream of there) await site.steps.take(stream.job, "report", () => readOne(site, stream));
  await admit(site);
  await site.shares.send(site, streamsOf(site));
}

/** Reads the report of a stream, and notes its end. */
async function readOne(site: Site, stream: StreamRecord): Promise<void> {
  // Asked before the report is read, which is then the last one.
  const isOver = isJobOver(site.round, stream.job);
  const report = stream.admittedAtMs === null ? undefined : await readReport(site.pool, stream.job);
  if (report !== undefined) site.figures.set(stream.job, report);
  if (isOver) await endIfOver(site, stream);
}

/** True where the job of a stream has ended, or is not known. */
function isJobOver({ projection }: Round, job: string): boolean {
  const record = projection.jobs.get(job);
  return record === undefined || isFinal(record.state);
}

/** Notes the end of a stream whose job is over. */
async function endIfOver({ round, pool, figures, steps }: Site, stream: StreamRecord): Promise<void> {
  const { job, submittedAtMs } = stream;
  const isKnown = round.projection.jobs.has(job);
  if (!isKnown && round.nowMs() - submittedAtMs < NO_JOB_MS && !figures.has(job)) return;
  const last = figures.get(job) ?? null;
  await cancelTrial(round, stream);
  await round.ask({ kind: "endStream", job, last });
  await removeStream(pool, job, (last?.setAside ?? 0) > 0);
  figures.delete(job);
  steps.forget(job);
}

/** Admits who fits now; its job is released when the order of its wrapper is there. */
async function admit(site: Site): Promise<void> {
  await site.round.ask({ kind: "selectStreams", site: site.name });
  for (const record of streamsOf(site)) {
    const { job, admittedAtMs } = record;
    if (admittedAtMs === null || site.released.has(job)) continue;
    await site.steps.take(job, "start", () => startOne(site, record));
  }
}

/** Starts an admitted stream, or its next trial. @throws where its order cannot be written */
async function startOne(site: Site, record: StreamRecord): Promise<void> {
  const { round, pool, released } = site;
  const { job, stream, className, trials = [] } = record;
  if (round.projection.jobs.get(job)?.state === "HELD") {
    // Its minimum of storage is cut from the others' quotas, which takes until they have processed some.
    if (!site.shares.mayStart(site, streamsOf(site))) return;
    if (trials.length > 0) return runTrial(site, record);
    const one = pool.classes?.find(({ name: its }) => its === className);
    await writeOrder(pool, job, { stream, one });
    await round.ask({ kind: "release", job });
  }
  // Not before: one whose order could not be written is tried again.
  released.add(job);
}

function streamsOf({ round, name }: Site): readonly StreamRecord[] {
  return query(round.projection, { name: "streamsAt", question: name }, round.nowMs());
}
