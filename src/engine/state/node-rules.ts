/**
 * Rules of nodes, shared by DAGs of jobs and executed workflows: the choice of the next nodes, retries of
 * failed ones, and early ends.
 */
import type { NodeLimits, NodeRules } from "../../model/index.ts";

/** True for an exit code that ends the whole DAG. */
export function isAborting({ abortOn }: NodeRules, exitCode: number | null): boolean {
  return abortOn !== undefined && exitCode === abortOn.exitCode;
}

/** True for a node that is run again after its attempt number `tries` failed. */
export function isRunAgain(
  { retries = 0, unlessExit }: NodeRules,
  tries: number,
  exitCode: number | null,
): boolean {
  return tries <= retries && (unlessExit === undefined || exitCode !== unlessExit);
}

/** Order of nodes that may start; 0 for equal priorities. */
export function byPriority({ priority: one = 0 }: NodeRules, { priority: other = 0 }: NodeRules): number {
  return other - one;
}

/** Nodes that have a job. */
export interface RunningNodes {
  readonly count: number;
  readonly byCategory: ReadonlyMap<string, number>;
}

/** Takes a place for a node of a category, if limits leave one beside those that run or were taken before. */
export function placesLeft(
  { maxRunning = Number.POSITIVE_INFINITY, maxRunningOf = {} }: NodeLimits,
  { count, byCategory }: RunningNodes,
): (category?: string) => boolean {
  let total = count;
  const taken = new Map<string, number>();
  return (category = "") => {
    const most = Object.hasOwn(maxRunningOf, category) ? maxRunningOf[category] : undefined;
    const own = taken.get(category) ?? 0;
    const isFull = most !== undefined && (byCategory.get(category) ?? 0) + own >= most;
    if (isFull || total >= maxRunning) return false;
    total++;
    taken.set(category, own + 1);
    return true;
  };
}
