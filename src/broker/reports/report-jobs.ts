/**
 * Sums of jobs by groups, over the view of jobs: read page by page in the order of the instant that decides
 * whether a job counts, so that each page costs the same and no job counts twice.
 */
import { Fault } from "../../base/index.ts";
import type { JobRecord } from "../../model/index.ts";
import { type JobReportQuery, type JobSums, jobOf, type Logbook, postingOf } from "../../runtime/index.ts";
import { jobConditions } from "../job-lists.ts";
import { keysOf } from "./job-groups.ts";
import { type OpenSums, openSums } from "./job-sums.ts";

/** Largest number of groups of a report, and of the jobs that it sums. */
const MOST_GROUPS = 10_000;
const MOST_JOBS = 1_000_000;
const PAGE = 1000;

/** Sums by groups, in the order of their keys. @throws Fault `reportTooLarge` */
export async function reportJobs(
  logbook: Logbook,
  query: JobReportQuery,
  nowMs: number,
): Promise<readonly JobSums[]> {
  const groups = new Map<string, OpenSums>();
  let jobs = 0;
  for await (const page of pagesOf(logbook, query)) {
    jobs += page.length;
    if (jobs > MOST_JOBS) throw tooLarge("a million jobs");
    const costs = await costsOf(logbook, page);
    for (const job of page) {
      const atMs = query.time === "ended" ? job.endedAtMs : job.submittedAtMs;
      const keys = keysOf(job, query.by, atMs);
      const name = JSON.stringify(keys);
      const group = groups.get(name) ?? openSums(keys);
      groups.set(name, group);
      if (groups.size > MOST_GROUPS) throw tooLarge("ten thousand groups");
      group.add(job, costs.get(job.id) ?? 0, nowMs);
    }
  }
  return [...groups.values()].map((group) => group.total()).sort((a, b) => compareKeys(a.keys, b.keys));
}

async function* pagesOf(logbook: Logbook, query: JobReportQuery): AsyncIterable<readonly JobRecord[]> {
  const isByEnd = query.time === "ended";
  // By end only jobs that have ended count: one that ends meanwhile cannot appear at two places.
  const bounds = isByEnd ? { sinceMs: query.sinceMs ?? 0 } : {};
  const conditions = jobConditions({ ...query, ...bounds });
  let after: string | undefined;
  do {
    const { rows, next } = await logbook.rows("jobs", {
      ...conditions,
      ...{ orderBy: isByEnd ? "endedAtMs" : "submittedAtMs", limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    yield rows.map(({ record }) => jobOf(record));
    after = next;
  } while (after !== undefined);
}

/** Charges for the runs of these jobs, by job. */
async function costsOf(logbook: Logbook, jobs: readonly JobRecord[]): Promise<ReadonlyMap<string, number>> {
  const runs = jobs.flatMap(({ id, attempt, endedAtMs }) =>
    endedAtMs === null || attempt === 0 ? [] : [`${id}/${attempt}`],
  );
  if (runs.length === 0) return new Map();
  const { rows } = await logbook.rows("postings", { where: { key: { oneOf: runs } }, limit: PAGE });
  return new Map(
    rows.map(({ record }) => {
      const { about, procMs } = postingOf(record);
      return [about, -procMs];
    }),
  );
}

function compareKeys(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? null;
    if (one === other) continue;
    if (one === null || other === null) return one === null ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}

function tooLarge(most: string): Fault {
  return new Fault({
    kind: "refused",
    code: "reportTooLarge",
    what: "the report would be too large",
    why: `it covers more than ${most}, which is the limit for one report`,
    remedy: "narrow it by since and until, or by a site or a consumer, or group by fewer dimensions",
  });
}
