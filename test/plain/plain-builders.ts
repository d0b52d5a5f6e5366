/**
 * Builders for tests of a site: jobs that show only what matters, and replays written as one line of text.
 */
import {
  type PlainJob,
  type PlainOperation,
  type PlainResult,
  type PlainRules,
  plainReplay,
} from "./plain-site.ts";

/** A job of one column that is submitted at 0, runs as long as estimated, and uses the first pool. */
export const job = (id: number, procs: number, estimate: number, more: Partial<PlainJob> = {}): PlainJob => ({
  id,
  submit: 0,
  need: [procs],
  pools: [0],
  estimate,
  runtime: estimate,
  ...more,
});

/** The starts as `job@instant`, in time order; `/pool` where it is not the first, `*` when backfilled. */
export const startsOf = (result: PlainResult): string =>
  result.starts
    .map(
      ({ job: id, at, pool, backfilled }) =>
        `${id}@${at}${pool > 0 ? `/${pool}` : ""}${backfilled ? "*" : ""}`,
    )
    .join(" ");

/** The promises after an instant, by job id, as `job@start` and `/pool` where it is not the first. */
export const promisesAt = (result: PlainResult, instant: number): string =>
  result.promises
    .filter(({ at }) => at === instant)
    .map(({ job: id, start, pool }) => `${id}@${start}${pool > 0 ? `/${pool}` : ""}`)
    .join(" ");

/** What is not as usual: one pool of four processors, nothing done to it, arrival order. */
export interface Scene {
  readonly pools?: readonly (readonly number[])[];
  readonly operations?: readonly PlainOperation[];
  readonly priority?: PlainRules["priority"];
}

/** Replays jobs under a discipline, for long enough. */
export const replay = (
  discipline: PlainRules["discipline"],
  jobs: readonly PlainJob[],
  { pools = [[4]], operations = [], priority }: Scene = {},
): PlainResult => plainReplay(pools, jobs, operations, { discipline, priority, endOfTime: 1000 });
