/**
 * Recalibration of forecasts by their recent lateness (rule PD-24).
 *
 * Lateness is (wait + c) ÷ (forecast + c), c a minute: 1 for a correct forecast, and defined for an immediate
 * start. A promise at p is stretched by the ⌈(n + 1) l⌉-th smallest of the latest n (split conformal
 * prediction, [VGS05]). The level l begins at p, rises with every missed promise and falls with every one
 * that held, so that in the long run a part p holds whatever the queue does (adaptive conformal inference,
 * [GC21]). Above 1 it stretches beyond any lateness seen. No promise is shortened: a bound has reasons of its
 * own.
 */
/** A promise: the job starts within `waitMs` with this probability. */
export interface WaitPromise {
  readonly probability: number;
  readonly waitMs: number;
}

/** Lateness of the latest promises of one probability, oldest first. */
interface Lateness {
  values: number[];
  level: number;
  /** The stretch as last computed; renewed after some more outcomes. */
  stretch: { readonly of: number; readonly by: number } | undefined;
}

/** Lateness of a method's promises, by probability. */
export interface RecentLateness {
  readonly byProbability: Map<number, Lateness>;
  count: number;
}

/** The outcome of a promise. */
export interface Outcome {
  readonly probability: number;
  /** The forecast of the method, before recalibration. */
  readonly saidMs: number;
  readonly waitMs: number;
  /** True where the published promise held. */
  readonly isKept: boolean;
}

const MOST = 40;
const LEAST = 8;
/** Change of the level with one outcome. */
const STEP = 0.05;
const HIGHEST = 2;
/** Number of outcomes after which the lateness is sorted again. */
const RESORT_AFTER = 4;
const OFFSET_MS = 60_000;

/** A record without outcomes. */
export function emptyLateness(): RecentLateness {
  return { byProbability: new Map(), count: 0 };
}

/** Adds the outcomes of the promises for one job. */
export function addLateness(recent: RecentLateness, outcomes: readonly Outcome[]): void {
  recent.count += 1;
  for (const { probability, saidMs, waitMs, isKept } of outcomes) {
    const its = latenessAt(recent, probability);
    its.values.push((waitMs + OFFSET_MS) / (saidMs + OFFSET_MS));
    if (its.values.length > 2 * MOST) its.values = its.values.slice(-MOST);
    const step = isKept ? probability - 1 : probability;
    its.level = Math.min(HIGHEST, Math.max(probability, its.level + STEP * step));
  }
}

/**
 * Recalibrated promises, by the first of these records that is long enough; a higher probability never has a
 * shorter wait.
 */
export function stretched(
  said: readonly WaitPromise[],
  known: readonly RecentLateness[],
): readonly WaitPromise[] {
  const by = known.find(({ count }) => count >= LEAST);
  if (by === undefined) return said;
  let leastMs = 0;
  return said.map(({ probability, waitMs }) => {
    const stretch = Math.max(1, stretchAt(by, probability));
    leastMs = Math.max(leastMs, waitMs, Math.ceil((waitMs + OFFSET_MS) * stretch - OFFSET_MS));
    return { probability, waitMs: leastMs };
  });
}

function latenessAt({ byProbability }: RecentLateness, probability: number): Lateness {
  const known = byProbability.get(probability);
  if (known !== undefined) return known;
  const anew: Lateness = { values: [], level: probability, stretch: undefined };
  byProbability.set(probability, anew);
  return anew;
}

function stretchAt(recent: RecentLateness, probability: number): number {
  const its = latenessAt(recent, probability);
  if (its.stretch !== undefined && recent.count - its.stretch.of < RESORT_AFTER) return its.stretch.by;
  const latest = Float64Array.from(its.values.slice(-MOST)).sort();
  const rank = Math.ceil((latest.length + 1) * its.level);
  const most = latest[latest.length - 1];
  const by = rank <= latest.length ? latest[rank - 1] : most * Math.max(1, its.level);
  its.stretch = { of: recent.count, by: latest.length < LEAST ? 1 : by };
  return its.stretch.by;
}
