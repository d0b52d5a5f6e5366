/**
 * Start predictions by simulation: many futures of the site, assuming that recent behaviour continues.
 *
 * In each future every job's runtime is drawn from the past ratios runtime ÷ estimate of its user, else of
 * its queue, else of all, and arrivals repeat: the recent arrivals are replayed from a random position with
 * their gaps, so that bursts stay bursts. The site machine decides the starts. Pure and deterministic from a
 * seed, on plain data: it can run in a worker thread.
 * Cost: one simulation of the queue per run; hundreds of runs a second for a queue of 100 (bench/prediction).
 */
import { createRandom, drawInteger, type Random } from "../base/index.ts";
import { checkpoint, type MachineCheckpoint, machineFrom } from "../queue/index.ts";
import { quantileOf } from "./recent-values.ts";
import {
  drawRuntime,
  type PastArrival,
  ratiosFor,
  recentArrivals,
  type SiteHabits,
  type Whose,
} from "./site-habits.ts";
import { restOf, type SiteSnapshot } from "./snapshot.ts";
import { machineOf, type PlacedJob, type SimulatedArrival, simulateUntilStart } from "./snapshot-machine.ts";

/** The input of a simulation. Plain data. */
export interface SimulatedQuestion {
  readonly snapshot: SiteSnapshot;
  readonly habits: SiteHabits;
  readonly job: { readonly need: readonly number[]; readonly estimateMs: number };
  readonly runs: number;
  readonly seed: number;
}

/** The waits, and the seed that reproduces them. */
export interface SimulatedStarts {
  /** Waits of all runs, ascending, in ms; Infinity where the job never started. */
  readonly waitsMs: readonly number[];
  readonly seed: number;
}

/** Most arrivals in one run: at a site that is always full some job would never start. */
const MOST_ARRIVALS = 5000;

/** Simulates `runs` futures. */
export function simulateStarts(question: SimulatedQuestion): SimulatedStarts {
  const { snapshot, runs, seed } = question;
  const { machine, placed } = machineOf(snapshot);
  const saved = checkpoint(machine);
  const random = createRandom(seed);
  const arrivals = recentArrivals(question.habits);
  const future = { question, placed, saved, arrivals, ratiosOf: rememberedRatios(question.habits) };
  const waitsMs = Float64Array.from({ length: runs }, () => playOnce(future, random));
  return { waitsMs: [...waitsMs.sort()], seed };
}

/** The wait within which the job started in the part `probability` of the runs. */
export function simulatedQuantile({ waitsMs }: SimulatedStarts, probability: number): number {
  return quantileOf(waitsMs, probability);
}

/** The mean wait: the estimated response time of a site, where the job needs one processor. */
export function simulatedMean({ waitsMs }: SimulatedStarts): number {
  return waitsMs.reduce((sum, waitMs) => sum + waitMs, 0) / waitsMs.length;
}

/** State shared by all runs. */
interface Futures {
  readonly question: SimulatedQuestion;
  readonly placed: readonly PlacedJob[];
  readonly saved: MachineCheckpoint;
  readonly arrivals: readonly PastArrival[];
  readonly ratiosOf: (whose: Whose) => readonly number[];
}

/** `ratiosFor`, cached for each user and queue. */
function rememberedRatios(habits: SiteHabits): (whose: Whose) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (whose) => {
    const key = `${whose.user}\n${whose.queue}`;
    const ratios = known.get(key) ?? ratiosFor(habits, whose);
    known.set(key, ratios);
    return ratios;
  };
}

function playOnce({ question, placed, saved, arrivals, ratiosOf }: Futures, random: Random): number {
  const { snapshot, job } = question;
  const { nowMs, discipline } = snapshot;
  const machine = machineFrom(saved, { discipline });
  const whose = new Map<number, Whose>(placed.map((it) => [it.handle, it.job]));
  const drawn = (handle: number, elapsedMs = 0): number => {
    const owner = whose.get(handle);
    const ratios = owner === undefined ? [] : ratiosOf(owner);
    return drawRuntime(random, ratios, machine.jobs.estimateMs[handle], elapsedMs);
  };
  const running = placed.flatMap((it) => {
    const { startedAtMs } = it.job;
    if (startedAtMs === undefined) return [];
    const elapsedMs = Math.max(0, nowMs - startedAtMs);
    const restMs = Math.min(drawn(it.handle, elapsedMs) - elapsedMs, restOf(it.job, nowMs));
    return { handle: it.handle, endMs: nowMs + Math.max(1, restMs) };
  });
  const nextArrival = arrivalsFrom(arrivals, nowMs, random);
  const onArrival = (handle: number, owner: Whose): unknown => whose.set(handle, owner);
  const play = { machine, running, runtimeMs: drawn, job, nextArrival, onArrival, nowMs };
  return simulateUntilStart(play) - nowMs;
}

/** The recent arrivals, repeated from a random position. */
function arrivalsFrom(
  past: readonly PastArrival[],
  nowMs: number,
  random: Random,
): () => SimulatedArrival | undefined {
  if (past.length === 0) return () => undefined;
  const first = drawInteger(random, 0, past.length - 1);
  let atMs = nowMs;
  let count = 0;
  return () => {
    if (count === MOST_ARRIVALS) return undefined;
    const { gapMs, ...job } = past[(first + count++) % past.length];
    atMs += gapMs;
    return { ...job, atMs };
  };
}
