/**
 * Recent behaviour of a site's jobs: the used part of their estimates, and their arrivals.
 *
 * Input of simulated futures: the latest 200 ratios runtime ÷ estimate of every user and queue, the latest
 * 1,000 arrivals. Plain data, so that it can be sent to a worker thread.
 */
import { drawFraction, drawInteger, type Random } from "../base/index.ts";
import { addValue, emptyValues, type RecentValues, valuesOf } from "./recent-values.ts";

/** A job that arrived, and the time since the arrival before it. */
export interface PastArrival {
  readonly gapMs: number;
  readonly user: string;
  readonly queue: string;
  readonly need: readonly number[];
  readonly estimateMs: number;
}

/** Recent behaviour of the jobs of one site. */
export interface SiteHabits {
  /** Ratios by user, by queue, and of all jobs. */
  readonly ofUser: Map<string, RecentValues>;
  readonly ofQueue: Map<string, RecentValues>;
  readonly ofAll: RecentValues;
  arrivals: PastArrival[];
  lastArrivalMs: number | undefined;
}

/** The owner and queue of a job. */
export interface Whose {
  readonly user: string;
  readonly queue: string;
}

const MOST_RATIOS = 200;
/**
 * Least number of ratios of a user; with fewer, those of the queue are drawn from, and with too few of these,
 * those of all jobs.
 */
const LEAST_RATIOS = 10;
const MOST_ARRIVALS = 1000;
const DRAWS = 8;

/** A site without past jobs. */
export function createHabits(): SiteHabits {
  return {
    ofUser: new Map(),
    ofQueue: new Map(),
    ofAll: emptyValues(MOST_RATIOS),
    arrivals: [],
    lastArrivalMs: undefined,
  };
}

/** True where something is known: else every job takes its estimate, and no other job arrives. */
export function hasHabits({ ofAll, arrivals }: SiteHabits): boolean {
  return arrivals.length > 0 || valuesOf(ofAll).length > 0;
}

/** Adds the runtime of an ended job. */
export function recordRuntime(habits: SiteHabits, { user, queue }: Whose, part: RuntimePart): void {
  const ratio = Math.min(1, part.runtimeMs / part.estimateMs);
  addValue(listOf(habits.ofUser, user), ratio);
  addValue(listOf(habits.ofQueue, queue), ratio);
  addValue(habits.ofAll, ratio);
}

/** The runtime of a job, and its estimate. */
export interface RuntimePart {
  readonly runtimeMs: number;
  readonly estimateMs: number;
}

/** Adds an arrival; one reported out of order counts as simultaneous with the one before it. */
export function recordArrival(habits: SiteHabits, arrival: Omit<PastArrival, "gapMs">, atMs: number): void {
  const { lastArrivalMs } = habits;
  habits.lastArrivalMs = Math.max(lastArrivalMs ?? atMs, atMs);
  // The gap before the first arrival is not known.
  if (lastArrivalMs === undefined) return;
  habits.arrivals.push({ ...arrival, gapMs: Math.max(0, atMs - lastArrivalMs) });
  if (habits.arrivals.length >= 2 * MOST_ARRIVALS) habits.arrivals = habits.arrivals.slice(-MOST_ARRIVALS);
}

/** The latest arrivals, oldest first. */
export function recentArrivals({ arrivals }: SiteHabits): readonly PastArrival[] {
  return arrivals.length > MOST_ARRIVALS ? arrivals.slice(-MOST_ARRIVALS) : arrivals;
}

/** The ratios to draw from: the user's, else the queue's, else all; empty where none are known. */
export function ratiosFor(habits: SiteHabits, { user, queue }: Whose): readonly number[] {
  for (const recent of [habits.ofUser.get(user), habits.ofQueue.get(queue)]) {
    const ratios = recent === undefined ? [] : valuesOf(recent);
    if (ratios.length >= LEAST_RATIOS) return ratios;
  }
  return valuesOf(habits.ofAll);
}

/**
 * A runtime within the estimate, more than `elapsedMs`, in whole ms: one of the ratios, drawn until it is
 * long enough; after eight that are not, uniform over the remaining time. The estimate itself where no ratio
 * is known.
 */
export function drawRuntime(
  random: Random,
  ratios: readonly number[],
  estimateMs: number,
  elapsedMs = 0,
): number {
  if (ratios.length === 0) return estimateMs;
  for (let draw = 0; draw < DRAWS; draw++) {
    const ratio = ratios[drawInteger(random, 0, ratios.length - 1)];
    const runtimeMs = Math.max(1, Math.ceil(ratio * estimateMs));
    if (runtimeMs > elapsedMs) return runtimeMs;
  }
  return elapsedMs + Math.max(1, Math.ceil(drawFraction(random) * (estimateMs - elapsedMs)));
}

function listOf(lists: Map<string, RecentValues>, key: string): RecentValues {
  const recent = lists.get(key) ?? emptyValues(MOST_RATIOS);
  lists.set(key, recent);
  return recent;
}
