/**
 * What users ask for, given what their jobs will take.
 *
 * `uniform`: between the runtime and three times it, the usual "f-model" with f = 2 [MF01]. `popular`: the
 * same, then rounded up to a value that people like to ask for; Tsafrir, Etsion & Feitelson [TEF05] found
 * that some twenty round values make up nine tenths of all estimates. Limits: their model also fits how
 * often each value is used, how a user repeats one, and how many ask for the longest; none of that is here,
 * and nobody underestimates.
 */
import { drawFraction, type Random } from "../../base/index.ts";
import type { RequestRule } from "../../model/index.ts";

/** The most a request is over the runtime, as a multiple of it, before rounding. */
const MOST_OVER = 2;

const MINUTE_SEC = 60;
const HOUR_SEC = 3600;
const DAY_SEC = 86_400;

/** In seconds; beyond the last one people ask for whole days. */
const POPULAR_SEC: readonly number[] = [
  ...[5, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_SEC),
  ...[1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 24, 36, 48].map((hours) => hours * HOUR_SEC),
];

/** Whole seconds asked for a job that runs `runtimeSec`; never less than that. */
export function drawRequest(rule: RequestRule, runtimeSec: number, random: Random): number {
  if (rule === "exact") return runtimeSec;
  const thoughtSec = Math.ceil(runtimeSec * (1 + MOST_OVER * drawFraction(random)));
  if (rule === "uniform") return thoughtSec;
  return POPULAR_SEC.find((popular) => popular >= thoughtSec) ?? Math.ceil(thoughtSec / DAY_SEC) * DAY_SEC;
}
