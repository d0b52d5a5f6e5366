/**
 * What a method says, stretched by how late it was of late (rule PD-24).
 *
 * Lateness is (wait + c) ÷ (said + c), c a minute, which is 1 for what was right and holds for a start at
 * once as well. A promise at p is stretched by the ⌈(n + 1) l⌉-th smallest of the latest n (split conformal
 * prediction, [VGS05]), where the level l begins at p and goes up with every promise that was broken, and
 * down with every one that was kept, so that in the long run a part p is kept whatever the queue does
 * (adaptive conformal inference, [GC21]). Above 1 it stretches beyond what was ever seen. Nothing is made
 * sooner: a bound has reasons of its own.
 */
/** "It starts within `waitMs` with this probability." */
export interface WaitPromise {
  readonly probability: number;
  readonly waitMs: number;
}

/** How late the latest promises of one probability were, the oldest first. */
interface Lateness {
  values: number[];
  level: number;
  /** Found again when some more have come. */
  stretch: { readonly of: number; readonly by: number } | undefined;
}

/** The same of all probabilities of a method. */
export interface RecentLateness {
  readonly byProbability: Map<number, Lateness>;
  count: number;
}

/** What came of a promise. */
export interface Outcome {
  readonly probability: number;
  /** By the method alone. */
  readonly saidMs: number;
  readonly waitMs: number;
  /** Of what was told. */
  readonly isKept: boolean;
}

const MOST = 40;
const LEAST = 8;
/** How far the level goes for one outcome. */
const STEP = 0.05;
const HIGHEST = 2;
/** Sorted anew after so many. */
const ANEW = 4;
const OFFSET_MS = 60_000;

/** Nothing yet. */
export function noLateness(): RecentLateness {
  return { byProbability: new Map(), count: 0 };
}

/** Promises came true or not, those of one job together. */
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

/** Promises as they are told, by the first of these that knows enough; never sooner for being surer. */
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
  if (its.stretch !== undefined && recent.count - its.stretch.of < ANEW) return its.stretch.by;
  const latest = Float64Array.from(its.values.slice(-MOST)).sort();
  const rank = Math.ceil((latest.length + 1) * its.level);
  const most = latest[latest.length - 1];
  const by = rank <= latest.length ? latest[rank - 1] : most * Math.max(1, its.level);
  its.stretch = { of: recent.count, by: latest.length < LEAST ? 1 : by };
  return its.stretch.by;
}
