/**
 * All that is learnt of one site, with the state of its queue as the events tell it.
 *
 * Events alone say who waits and who runs at any instant, so the past of an accounting and the present are
 * learnt in the same way: at a submission the queue is made of the jobs that are known, and every method
 * that can speak is scored when the job starts. Approximate in three ways: who had priority then is not
 * known, so jobs wait in the order in which they could start; a room (partitions that share nodes) is one
 * pool without reservations; its capacity is today's.
 * Cost: a play of the queue for a submission; of long queues only every so-manieth is played.
 */
import type { Discipline } from "../../model/index.ts";
import {
  createSitePredictor,
  type Forecast,
  forecastBySimulation,
  type JobEvent,
  type JobFacts,
  observe,
  type SitePredictor,
  type SiteSnapshot,
  type SnapshotJob,
  simulateStarts,
} from "../../predict/index.ts";

/** A part of a site whose jobs compete: all of it, or partitions that share nodes. */
export interface Room {
  /** Null: whatever queue. */
  readonly queues: readonly string[] | null;
  /** Processors, then bytes where memory is handed out. */
  readonly capacity: readonly number[];
}

/** A site, as much of it as its queue depends on. */
export interface SiteShape {
  readonly rooms: readonly Room[];
  readonly discipline: Discipline;
}

/** Learnt data about a site, and their origin. Plain data. */
export interface SiteHistory {
  shape: SiteShape;
  readonly predictor: SitePredictor;
  /** Submissions that were learnt of from the past, and as they came. */
  readonly learnt: { past: number; live: number };
}

/** An event, and whether it is of a job that was there before anybody looked. */
export interface SeenEvent {
  readonly event: JobEvent;
  readonly isLate: boolean;
}

/** Settings for learning from an event. */
export interface Learning {
  readonly from: "past" | "live";
  /** True if the queue is simulated to score submissions; else only past waits are used. */
  readonly isPlayed: boolean;
  /** So many futures are simulated, too; none: 0. */
  readonly runs: number;
}

/** Beyond so many jobs in its system what is submitted to a site is not learnt from. */
const MOST_KNOWN = 20_000;
/** Up to so many jobs every submission is played, of twice as many every second … */
const PLAYED_ALWAYS = 300;

/** Of a site that nothing is known of. */
export function createSiteHistory(site: string, shape: SiteShape): SiteHistory {
  return { shape, predictor: createSitePredictor(site), learnt: { past: 0, live: 0 } };
}

/**
 * Takes in what happened. Submissions that are known are passed over, and so are ends of unknown jobs.
 *
 * @returns whether the queue was played for it
 */
export function learn(site: SiteHistory, { event, isLate }: SeenEvent, how: Learning): boolean {
  const { predictor, learnt } = site;
  if (event.kind !== "submitted") {
    observe(predictor, event);
    return false;
  }
  if (predictor.jobs.has(event.job.id) || predictor.jobs.size >= MOST_KNOWN) return false;
  const count = ++learnt[how.from];
  if (isLate) {
    observe(predictor, event, { isLate });
    return false;
  }
  const stride = Math.ceil(Math.max(1, predictor.jobs.size) / PLAYED_ALWAYS);
  const snapshot =
    how.isPlayed && count % stride === 0 ? stateFor(site, event.job.queue, event.atMs) : undefined;
  if (snapshot === undefined) {
    observe(predictor, event);
    return false;
  }
  const simulated =
    how.runs > 0 ? simulate(site, event.job, { snapshot, runs: how.runs, seed: count }) : undefined;
  observe(predictor, event, { snapshot, ...(simulated === undefined ? {} : { simulated }) });
  return true;
}

/** The queue that a job in this queue would find, of the jobs that are known; undefined: no such queue. */
export function stateFor(site: SiteHistory, queue: string, nowMs: number): SiteSnapshot | undefined {
  const { predictor, shape } = site;
  const room = roomOf(shape, queue);
  if (room === undefined) return undefined;
  const jobs: SnapshotJob[] = [];
  for (const { facts, submittedAtMs, startedAtMs } of predictor.jobs.values()) {
    if (room.queues !== null && !room.queues.includes(facts.queue)) continue;
    const { user, wallTimeMs } = facts;
    jobs.push({
      user,
      queue: facts.queue,
      need: needIn(room, facts),
      estimateMs: wallTimeMs,
      arrivedAtMs: submittedAtMs,
      startedAtMs,
    });
  }
  jobs.sort((a, b) => a.arrivedAtMs - b.arrivedAtMs);
  return { nowMs, capacity: room.capacity, discipline: shape.discipline, jobs, reservations: [] };
}

/** The room in which jobs of a queue compete. */
export function roomOf({ rooms }: SiteShape, queue: string): Room | undefined {
  return rooms.find(({ queues }) => queues === null || queues.includes(queue));
}

/** A job's need in the columns of a room. */
export function needIn(
  { capacity }: Pick<Room, "capacity">,
  { procs, alsoNeeds = [] }: JobFacts,
): readonly number[] {
  const all = [procs, ...alsoNeeds];
  return capacity.map((_, column) => all[column] ?? 0);
}

function simulate(site: SiteHistory, job: JobFacts, play: Simulated): Forecast | undefined {
  const { snapshot, runs, seed } = play;
  const asked = { need: needIn(snapshot, job), estimateMs: job.wallTimeMs };
  const { habits } = site.predictor;
  return forecastBySimulation(simulateStarts({ snapshot, habits, job: asked, runs, seed }));
}

interface Simulated {
  readonly snapshot: SiteSnapshot;
  readonly runs: number;
  readonly seed: number;
}
