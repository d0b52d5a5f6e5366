/** Results of a search so far. */
import type { Search, SearchPoint, SearchSummary } from "../../model/index.ts";

/** Counts of a search, and its best point: of equal ones the first that was chosen. */
export function summaryOf(goal: Search["goal"], points: readonly SearchPoint[]): Omit<SearchSummary, "end"> {
  let best: SearchSummary["best"] = null;
  let evaluated = 0;
  let failed = 0;
  for (const { value, ...point } of points) {
    if (value === undefined) continue;
    evaluated++;
    if (value === null) failed++;
    else if (best === null || costOf(goal, value) < costOf(goal, best.value)) best = { ...point, value };
  }
  return { evaluated, failed, best };
}

/** Value to be minimised. */
export function costOf(goal: Search["goal"], value: number): number {
  return goal === "minimize" ? value : -value;
}
