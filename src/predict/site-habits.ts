/**
 * What a site's jobs are like of late: how much of their estimate they use, and who comes when.
 *
 * The material of simulated futures (rule PD-15): the latest 200 ratios runtime ÷ estimate of every user and
 * queue, the latest 1,000 arrivals. Plain data, so that it can be handed to a worker thread.
 */
import { drawFraction, drawInteger, type Random } from "../base/index.ts";
import { addValue, noValues, type RecentValues, valuesOf } from "./recent-values.ts";

/** A job that came, and how long after the one before it. */
export interface PastArrival {
  readonly gapMs: number;
  readonly user: string;
  readonly queue: string;
  readonly need: readonly number[];
  readonly estimateMs: number;
}

/** Of one site. */
export interface SiteHabits {
  /** By user, by queue, and of all. */
  readonly ofUser: Map<string, RecentValues>;
  readonly ofQueue: Map<string, RecentValues>;
  readonly ofAll: RecentValues;
  arrivals: PastArrival[];
  lastArrivalMs: number | undefined;
}

/** Whose habits are asked for. */
export interface Whose {
  readonly user: string;
  readonly queue: string;
}

const MOST_RATIOS = 200;
/** With fewer a user's queue speaks for him, and for a queue all. */
const LEAST_RATIOS = 10;
const MOST_ARRIVALS = 1000;
const DRAWS = 8;

/** Of a site never looked at. */
export function createHabits(): SiteHabits {
  return {
    ofUser: new Map(),
    ofQueue: new Map(),
    ofAll: noValues(MOST_RATIOS),
    arrivals: [],
    lastArrivalMs: undefined,
  };
}

/** Whether anything was learnt: without that every job takes its estimate, and nobody else comes. */
export function hasHabits({ ofAll, arrivals }: SiteHabits): boolean {
  return arrivals.length > 0 || valuesOf(ofAll).length > 0;
}

/** A job has ended after `runtimeMs` of its `estimateMs`. */
export function noteRuntime(habits: SiteHabits, { user, queue }: Whose, part: RuntimePart): void {
  const ratio = Math.min(1, part.runtimeMs / part.estimateMs);
  addValue(listOf(habits.ofUser, user), ratio);
  addValue(listOf(habits.ofQueue, queue), ratio);
  addValue(habits.ofAll, ratio);
}

/** What a job really took, and what was planned. */
export interface RuntimePart {
  readonly runtimeMs: number;
  readonly estimateMs: number;
}

/** A job has come; one that is told of late counts as having come with the one before it. */
export function noteArrival(habits: SiteHabits, arrival: Omit<PastArrival, "gapMs">, atMs: number): void {
  const { lastArrivalMs } = habits;
  habits.lastArrivalMs = Math.max(lastArrivalMs ?? atMs, atMs);
  // Of the first one it is not known how long nobody had come.
  if (lastArrivalMs === undefined) return;
  habits.arrivals.push({ ...arrival, gapMs: Math.max(0, atMs - lastArrivalMs) });
  if (habits.arrivals.length >= 2 * MOST_ARRIVALS) habits.arrivals = habits.arrivals.slice(-MOST_ARRIVALS);
}

/** The latest arrivals, the oldest first. */
export function recentArrivals({ arrivals }: SiteHabits): readonly PastArrival[] {
  return arrivals.length > MOST_ARRIVALS ? arrivals.slice(-MOST_ARRIVALS) : arrivals;
}

/** The ratios to draw from: the user's, else his queue's, else all; none where nothing is known. */
export function ratiosFor(habits: SiteHabits, { user, queue }: Whose): readonly number[] {
  for (const recent of [habits.ofUser.get(user), habits.ofQueue.get(queue)]) {
    const ratios = recent === undefined ? [] : valuesOf(recent);
    if (ratios.length >= LEAST_RATIOS) return ratios;
  }
  return valuesOf(habits.ofAll);
}

/**
 * A runtime within the estimate, more than `elapsedMs`, in whole ms: one of the ratios, drawn until it is
 * long enough; after eight that are not, any time that is left is as likely. The estimate itself where no
 * ratio is known.
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
  const recent = lists.get(key) ?? noValues(MOST_RATIOS);
  lists.set(key, recent);
  return recent;
}
