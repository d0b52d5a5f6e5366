/**
 * Operations of the genetic algorithm on an allocation: its utility, and its repair.
 *
 * Genes are rates as parts of the link. For speed everything about the sessions stands in typed arrays.
 */
import type { Bounded } from "./envelope.ts";
import { STEP_ERROR, UTILITY_KINDS, type Utility } from "./utility.ts";

/** Sessions in columns, rates as parts of the link. */
export interface Genome {
  readonly count: number;
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly leastSum: number;
  /** Index into {@link UTILITY_KINDS}. */
  readonly kinds: Uint8Array;
  readonly weights: Float64Array;
  /** Units in the whole link: a gene times this is y. */
  readonly units: Float64Array;
  /** a, or k. */
  readonly shape: Float64Array;
  readonly middle: Float64Array;
}

/** Columns of these sessions on a link. */
export function genomeOf(sessions: readonly Bounded[], inboundBytesPerSec: number): Genome {
  const least = Float64Array.from(sessions, ({ minBytesPerSec }) => minBytesPerSec / inboundBytesPerSec);
  return {
    count: sessions.length,
    least,
    most: Float64Array.from(sessions, ({ minBytesPerSec, maxBytesPerSec }) =>
      Math.max(minBytesPerSec / inboundBytesPerSec, Math.min(1, maxBytesPerSec / inboundBytesPerSec)),
    ),
    leastSum: least.reduce((sum, value) => sum + value, 0),
    kinds: Uint8Array.from(sessions, ({ utility }) => UTILITY_KINDS.indexOf(utility.kind)),
    weights: Float64Array.from(sessions, ({ utility }) => utility.weight),
    units: Float64Array.from(sessions, ({ utility }) => inboundBytesPerSec / utility.unitBytesPerSec),
    shape: Float64Array.from(sessions, ({ utility }) => shapeOf(utility)),
    middle: Float64Array.from(sessions, ({ utility }) => ("x0" in utility ? utility.x0 : 0)),
  };
}

function shapeOf(utility: Utility): number {
  if (utility.kind === "alpha") return utility.a;
  return utility.kind === "sigmoid" ? utility.k : 0;
}

/** Sum of the utilities of an individual. */
export function utilitySum(genome: Genome, genes: Float64Array): number {
  const { count, kinds, weights, units, shape, middle } = genome;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    const y = genes[at] * units[at];
    const weight = weights[at];
    const kind = kinds[at];
    if (kind === 0) sum += weight * Math.log(1 + y);
    else if (kind === 1) {
      const a = shape[at];
      if (a === 2) sum -= weight / y;
      else sum += a === 1 ? weight * Math.log(y) : (weight * y ** (1 - a)) / (1 - a);
    } else if (kind === 2) sum += weight * y;
    else if (kind === 3) sum += weight / (1 + Math.exp(-shape[at] * (y - middle[at])));
    else if (y >= middle[at] * STEP_ERROR) sum += weight;
  }
  return sum;
}

const MOST_FILLINGS = 3;

/**
 * Repairs an individual in place: clips each gene to its bounds, then scales what exceeds the minima so that
 * the whole fits into the link, and fills it as far as the maxima let it.
 */
export function repair({ count, least, most, leastSum }: Genome, genes: Float64Array): void {
  const spare = 1 - leastSum;
  let above = 0;
  for (let at = 0; at < count; at++) {
    const gene = genes[at];
    const kept = gene > least[at] ? Math.min(gene, most[at]) : least[at];
    genes[at] = kept;
    above += kept - least[at];
  }
  for (let filling = 0; filling <= MOST_FILLINGS; filling++) {
    const isOver = above > spare;
    if (above <= 0 || (!isOver && (filling === MOST_FILLINGS || above >= spare * (1 - 1e-9)))) return;
    const part = spare / above;
    above = 0;
    for (let at = 0; at < count; at++) {
      const scaled = least[at] + (genes[at] - least[at]) * part;
      genes[at] = Math.min(scaled, most[at]);
      above += genes[at] - least[at];
    }
    if (isOver) return;
  }
}
