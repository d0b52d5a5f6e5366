/** Instants in requests. */

import type { ProblemPlace } from "./problem.ts";
import { invalid } from "./validator.ts";

/**
 * Unix ms of an instant. A pattern has validated its form; a 31st of February is refused here. @throws
 * ProblemError `invalidRequest` at the place
 */
export function instantGiven(text: string, place: Omit<ProblemPlace, "detail">): number {
  const atMs = Date.parse(text);
  if (!Number.isNaN(atMs)) return atMs;
  throw invalid([{ ...place, detail: "this date or time does not exist" }]);
}
