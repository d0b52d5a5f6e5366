/** Lists of jobs, whether they are over or not, from their view. */
import { type ObservedJob, tagPart } from "../engine/index.ts";
import type { JobSortColumn } from "../model/index.ts";
import { type JobPage, type JobQuery, jobOf, type Logbook, type ViewQuery } from "../runtime/index.ts";
import { type Conditions, conditionsOf } from "./observed-rows.ts";

/** Column of the view for each column that lists are sorted by. */
const COLUMNS: Readonly<Record<JobSortColumn, string>> = {
  submitted: "ord",
  ended: "endedAtMs",
  id: "key",
  name: "name",
  state: "state",
  site: "site",
  consumer: "consumer",
  owner: "owner",
};

/** One page of jobs. */
export async function listJobs(logbook: Logbook, query: JobQuery): Promise<JobPage> {
  const { sort = { by: "submitted", isDescending: true }, limit = 100, after } = query;
  const page = await logbook.rows("jobs", {
    ...jobConditions(query),
    ...{ orderBy: COLUMNS[sort.by], descending: sort.isDescending, limit },
    ...(after === undefined ? {} : { after }),
  });
  return { items: page.rows.map(({ record }) => jobOf(record)), next: page.next };
}

/** Ids that begin so, of these jobs but those of arrays, which are found by the array; at most `limit`. */
export async function idsBeginning(
  logbook: Logbook,
  prefix: string,
  limit: number,
  among: ObservedJob = {},
): Promise<readonly string[]> {
  const { where, ...same } = conditionsOf(among);
  const { rows } = await logbook.rows("jobs", {
    ...{ ...same, where: { ...where, array: { is: null }, key: { beginsWith: prefix } }, limit },
  });
  return rows.map(({ key }) => key);
}

/** Conditions of a query on the rows of jobs. */
export function jobConditions(query: JobQuery): Pick<ViewQuery, "where" | "eitherOf"> {
  const conditions = conditionsOf(query);
  const where: Conditions = conditions.where;
  const { states, name, tags, time = "submitted", sinceMs, untilMs } = query;
  if (states !== undefined) where.state = { oneOf: states };
  if (query.array !== undefined) where.array = { is: query.array };
  if (query.exitCode !== undefined) where.exitCode = { is: query.exitCode };
  if (name !== undefined) where.name = { is: name };
  if (tags !== undefined) where.tags = { contains: tags.map(tagPart) };
  const instant = time === "ended" ? "endedAtMs" : "submittedAtMs";
  const before = untilMs === undefined ? {} : { before: untilMs };
  if (sinceMs !== undefined) where[instant] = { atLeast: sinceMs, ...before };
  else if (untilMs !== undefined) where[instant] = { before: untilMs };
  return conditions;
}
