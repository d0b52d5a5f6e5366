/**
 * Lists of arrays and of DAGs from their views, which have the same columns.
 *
 * Both are at no site: somebody who sees the jobs at one site sees none of them.
 */
import { type ObservedJob, tagPart } from "../engine/index.ts";
import type { ArrayQuery, JsonObject, Logbook, ViewConditions } from "../runtime/index.ts";
import { type Conditions, conditionsOf } from "./observed-rows.ts";

type Rows = Pick<Logbook, "rows">;
type GroupView = "arrays" | "dags";

/** Ids of arrays or DAGs that begin with `prefix`; at most `limit`. */
export async function groupsBeginning(
  logbook: Rows,
  view: GroupView,
  { prefix, limit, among }: { readonly prefix: string; readonly limit: number; readonly among: ObservedJob },
): Promise<readonly string[]> {
  if (among.site !== undefined) return [];
  const { where, ...same } = conditionsOf(among);
  const { rows } = await logbook.rows(view, {
    ...{ ...same, where: { ...where, key: { beginsWith: prefix } }, limit },
  });
  return rows.map(({ key }) => key);
}

/** Groups of a query, newest first. */
export async function listGroups<Group>(
  logbook: Rows,
  view: GroupView,
  query: ArrayQuery,
  read: (record: JsonObject) => Group,
): Promise<{ readonly items: readonly Group[]; readonly next: string | undefined }> {
  if (query.site !== undefined) return { items: [], next: undefined };
  const page = await logbook.rows(view, {
    ...groupConditions(query),
    orderBy: "ord",
    descending: true,
    limit: query.limit ?? 100,
    ...(query.after === undefined ? {} : { after: query.after }),
  });
  return { items: page.rows.map(({ record }) => read(record)), next: page.next };
}

function groupConditions(query: ArrayQuery) {
  const conditions = conditionsOf(query);
  const where: Conditions = conditions.where;
  const { states, name, tags, sinceMs, untilMs } = query;
  if (name !== undefined) where.name = { is: name };
  if (tags !== undefined) where.tags = { contains: tags.map(tagPart) };
  const before = untilMs === undefined ? {} : { before: untilMs };
  if (sinceMs !== undefined) where.submittedAtMs = { atLeast: sinceMs, ...before };
  else if (untilMs !== undefined) where.submittedAtMs = { before: untilMs };
  if (states === undefined) return conditions;
  const inOne = states.map((state): ViewConditions => ({ states: { contains: [`\n${state}\n`] } }));
  const { eitherOf = [{}] } = conditions;
  return { where, eitherOf: eitherOf.flatMap((whose) => inOne.map((state) => ({ ...whose, ...state }))) };
}
