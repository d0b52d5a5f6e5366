/**
 * Classes of bins with similar waits: model-based clustering.
 *
 * Source: [NBW07]. Model: within a class, ln(wait in s + 1) is normal; two parameters a class. Neighbouring
 * classes are merged, the pair that lowers BIC [S78] most first, until no merge lowers it.
 * Departs from the source: bins are powers of two and merged bottom-up, where it searches partitions of the
 * jobs sorted by their requests.
 * Cost: merges × pairs of neighbours, for some hundred bins.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import { type Bin, recentOf } from "./bins.ts";

/** Sums for the likelihood of some waits. */
interface Moments {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

interface Cluster {
  readonly bins: readonly Bin[];
  readonly moments: Moments;
}

/**
 * The least variance of ln(wait in s + 1): waits are given to the second, and between 0 and 1 s that alone is
 * a spread of ln 2 ÷ √12. Without it, bins whose jobs all start at once would be infinitely likely.
 */
const LEAST_VARIANCE = 0.04;
const PARAMETERS = 2;

/** Partitions bins into classes; every bin is in one. */
export function fitClasses(bins: readonly Bin[]): (readonly Bin[])[] {
  const filled = bins.filter(({ recent }) => recent.length > 0);
  const clusters: (Cluster | undefined)[] = filled.map((bin) => ({ bins: [bin], moments: momentsOf(bin) }));
  const total = clusters.reduce((sum, cluster) => sum + (cluster?.moments.count ?? 0), 0);
  const penalty = PARAMETERS * Math.log(total);
  const clusterOf = filled.map((_, i) => i);
  const pairs = neighbours(filled);
  for (;;) {
    const best = bestMerge(pairs, clusterOf, clusters, penalty);
    if (best === undefined) break;
    const [kept, gone] = best;
    const [a, b] = [clusters[kept], clusters[gone]];
    if (a === undefined || b === undefined) break;
    clusters[kept] = { bins: [...a.bins, ...b.bins], moments: together(a.moments, b.moments) };
    clusters[gone] = undefined;
    clusterOf.forEach((cluster, i) => {
      if (cluster === gone) clusterOf[i] = kept;
    });
  }
  return clusters.flatMap((cluster) => (cluster === undefined ? [] : [cluster.bins]));
}

/** The pair of classes whose merge lowers BIC most, or undefined where none lowers it. */
function bestMerge(
  pairs: readonly (readonly [number, number])[],
  clusterOf: readonly number[],
  clusters: readonly (Cluster | undefined)[],
  penalty: number,
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  let bestGain = 0;
  for (const [left, right] of pairs) {
    const [a, b] = [clusters[clusterOf[left]], clusters[clusterOf[right]]];
    if (a === b || a === undefined || b === undefined) continue;
    const apart = logLikelihood(a.moments) + logLikelihood(b.moments);
    const gain = 2 * (logLikelihood(together(a.moments, b.moments)) - apart) + penalty;
    if (gain > bestGain) {
      bestGain = gain;
      best = [clusterOf[left], clusterOf[right]];
    }
  }
  return best;
}

/** Pairs of bins in one row or column with nothing between them. */
function neighbours(bins: readonly Bin[]): (readonly [number, number])[] {
  const order = bins.map((_, i) => i);
  const byProcs = (a: number, b: number): number => bins[a].procs - bins[b].procs;
  const byWallTime = (a: number, b: number): number => bins[a].wallTime - bins[b].wallTime;
  const rows = [...order].sort((a, b) => byWallTime(a, b) || byProcs(a, b));
  const columns = [...order].sort((a, b) => byProcs(a, b) || byWallTime(a, b));
  return [...adjacent(rows, byWallTime), ...adjacent(columns, byProcs)];
}

function adjacent(
  sorted: readonly number[],
  difference: (a: number, b: number) => number,
): (readonly [number, number])[] {
  return sorted.flatMap((bin, i) =>
    i > 0 && difference(sorted[i - 1], bin) === 0 ? [[sorted[i - 1], bin] as const] : [],
  );
}

function momentsOf(bin: Bin): Moments {
  let [count, sum, squares] = [0, 0, 0];
  for (const { submittedAtMs, startedAtMs } of recentOf(bin)) {
    const x = Math.log1p((startedAtMs - submittedAtMs) / MS_PER_SECOND);
    count++;
    sum += x;
    squares += x * x;
  }
  return { count, sum, squares };
}

function together(a: Moments, b: Moments): Moments {
  return { count: a.count + b.count, sum: a.sum + b.sum, squares: a.squares + b.squares };
}

/** The log-likelihood of a normal distribution with the mean and variance of these values. */
function logLikelihood({ count, sum, squares }: Moments): number {
  const deviation = squares - (sum * sum) / count;
  const variance = Math.max(LEAST_VARIANCE, deviation / count);
  return -0.5 * (count * Math.log(2 * Math.PI * variance) + deviation / variance);
}
