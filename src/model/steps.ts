/**
 * Partitionable jobs: work in steps, split into sub-jobs of consecutive steps.
 *
 * Source: partitionable jobs of the EGEE/gLite JDL [WMS]. A node of a DAG with `steps` becomes one node for
 * each part when the DAG is accepted; nodes that follow it follow all of its parts.
 */

/** Largest number of steps of a job. */
export const MOST_STEPS = 1_000_000;
/** Largest number of steps that have names or weights. */
export const MOST_LISTED_STEPS = 10_000;
/** Largest number of parts of a job. */
export const MOST_PARTS = 1000;

/** The steps of a job that is to be split. */
export interface JobSteps {
  readonly count: number;
  /** Names, one for each step; absent: their numbers, from 0. */
  readonly names?: readonly string[];
  /** Whole weights above 0, one for each step; absent: all steps have the same. */
  readonly weights?: readonly number[];
  /** First step to be run; 0 where absent. */
  readonly currentStep?: number;
  /** Largest number of sub-jobs; absent: as many as could start at once at the matching sites. */
  readonly maxParts?: number;
}

/** Consecutive steps that one sub-job runs. */
export interface StepRange {
  /** Name of the node that was split. */
  readonly of: string;
  /** Number of the first step, from 0. */
  readonly from: number;
  readonly count: number;
  /** Names of these steps. */
  readonly names?: readonly string[];
}

/**
 * First steps of the parts, and the end of the last part: consecutive parts of about equal weight, each of at
 * least one step. None is heavier than an equal share plus the heaviest step.
 *
 * Cost: O(steps).
 */
function partBounds(weights: readonly number[], parts: number): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const bounds = [0];
  let at = 0;
  let before = 0;
  for (let part = 1; part < parts; part++) {
    const share = (total * part) / parts;
    const last = weights.length - (parts - part);
    const least = (bounds.at(-1) ?? 0) + 1;
    // A step belongs to the part in whose share most of it lies.
    while (at < last && (at < least || before + (weights[at] ?? 0) / 2 <= share))
      before += weights[at++] ?? 0;
    bounds.push(at);
  }
  return [...bounds, weights.length];
}

/** Parts of a job, each of at least one step. @param places free places, if the job sets no limit */
export function stepRanges(of: string, steps: JobSteps, places: number): readonly StepRange[] {
  const { count, names, weights, currentStep = 0, maxParts = places } = steps;
  const left = count - currentStep;
  const parts = Math.max(1, Math.min(left, maxParts, MOST_PARTS));
  const bounds =
    weights === undefined
      ? Array.from({ length: parts + 1 }, (_, part) => Math.floor((left * part) / parts))
      : partBounds(weights.slice(currentStep), parts);
  return bounds.slice(0, -1).map((begin, part) => {
    const from = currentStep + begin;
    const size = (bounds[part + 1] ?? left) - begin;
    const named = names === undefined ? {} : { names: names.slice(from, from + size) };
    return { of, from, count: size, ...named };
  });
}
