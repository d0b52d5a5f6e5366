/**
 * Time that a pilot must have left for a job (rule EN-307): the 0.9 quantile of the latest runtimes of jobs
 * like it, where there are enough, else its limit.
 *
 * Source: [WMS] slides 104 to 112. A job that outlasts its pilot is queued again, and then needs its limit:
 * otherwise it could be given to one short pilot after the other.
 */
import { assert } from "../../base/index.ts";
import type { JobRecord, PayloadRuntimes, StintEvent } from "../../model/index.ts";
import { quantileOf } from "../../predict/index.ts";
import { erased, written } from "./books.ts";
import type { Projection, RecordChange } from "./projection.ts";
import type { SiteState } from "./site-state.ts";

const QUANTILE = 0.9;
/** Smallest number of runtimes from which a quantile is taken. */
const LEAST_RUNS = 20;
const MOST_RUNS = 50;
/** Largest number of groups of jobs whose runtimes are kept; beyond it the oldest group is dropped. */
const MOST_GROUPS = 1000;

type WithRuntimes = Pick<Projection, "books">;

/** Time for which a job is expected to run in a pilot of a site, at most its limit. */
export function timeNeeded(
  { books }: WithRuntimes,
  { name, spec }: Pick<SiteState, "name" | "spec">,
  job: Pick<JobRecord, "owner" | "description" | "retried">,
): number {
  const limitMs = job.description.wallTimeMs ?? spec.defaultWallTimeMs;
  const { runtimesMs = [] } = books.payloadRuntimes.get(keyOf(name, job)) ?? {};
  if (runtimesMs.length < LEAST_RUNS || (job.retried?.deep ?? 0) > 0) return limitMs;
  return Math.min(limitMs, quantileOf(runtimesMs, QUANTILE));
}

/** Records the runtime of a payload that ended by itself, or at its limit. */
export function noteRuntime({ books, jobs }: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "attemptEnded") return [];
  const job = jobs.get(event.job);
  const { cause } = event.end;
  if (job?.pilot === undefined || job.startedAtMs === null || job.earlierRuns !== undefined) return [];
  if (cause !== "exited" && cause !== "timeLimit") return [];
  assert(job.site !== null, "a payload that began is at a site");
  const key = keyOf(job.site, job);
  const before: PayloadRuntimes["runtimesMs"] = books.payloadRuntimes.get(key)?.runtimesMs ?? [];
  const runtimesMs = [...before, event.atMs - job.startedAtMs].slice(-MOST_RUNS);
  const [oldest] = books.payloadRuntimes.keys();
  const isFull = before.length === 0 && books.payloadRuntimes.size >= MOST_GROUPS;
  return [
    ...(isFull && oldest !== undefined ? [erased("payloadRuntimes", oldest)] : []),
    written("payloadRuntimes", { key, runtimesMs }),
  ];
}

function keyOf(
  site: string,
  { owner, description: { procs, executable } }: Pick<JobRecord, "owner" | "description">,
): string {
  return `${site} ${owner} ${procs} ${executable}`;
}
