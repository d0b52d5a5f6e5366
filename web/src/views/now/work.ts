import type { JobView } from "../../app/client.ts";
import type { WholeRow } from "../../parts/whole-rows.ts";

/** One line of the caller's work: an array, a DAG, or a job that belongs to neither. */
export type WorkRow = { readonly job: JobView } | { readonly whole: WholeRow };

/** The `most` newest lines of active work, newest first. */
export function activeWork(
  jobs: readonly JobView[],
  wholes: readonly WholeRow[],
  most: number,
): readonly WorkRow[] {
  return newestFirst(jobs, wholes, ({ submittedAt }) => submittedAt, mostRecent("at")).slice(0, most);
}

/** The `most` lines of work that ended last, latest first. */
export function endedWork(
  jobs: readonly JobView[],
  wholes: readonly WholeRow[],
  most: number,
): readonly WorkRow[] {
  const ended = wholes.filter(({ endedAt }) => endedAt !== null);
  return newestFirst(
    jobs,
    ended,
    ({ endedAt, submittedAt }) => endedAt ?? submittedAt,
    mostRecent("endedAt"),
  ).slice(0, most);
}

function mostRecent(field: "at" | "endedAt") {
  return (whole: WholeRow): string => whole[field] ?? whole.at;
}

function newestFirst(
  jobs: readonly JobView[],
  wholes: readonly WholeRow[],
  ofJob: (job: JobView) => string,
  ofWhole: (whole: WholeRow) => string,
): readonly WorkRow[] {
  const rows: (readonly [at: number, row: WorkRow])[] = [
    ...jobs.map((job) => [Date.parse(ofJob(job)), { job }] as const),
    ...wholes.map((whole) => [Date.parse(ofWhole(whole)), { whole }] as const),
  ];
  return rows.sort(([a], [b]) => b - a).map(([, row]) => row);
}

/** Number of its jobs or nodes that have ended, and of all. */
export function endedOf({ states }: WholeRow): readonly [ended: number, all: number] {
  let [ended, all] = [0, 0];
  for (const [state, count] of Object.entries(states)) {
    all += count;
    if (ENDED.includes(state)) ended += count;
  }
  return [ended, all];
}

const ENDED = ["DONE", "FAILED", "ABORTED", "CANCELLED", "CLEARED", "PURGED", "FUTILE"];
