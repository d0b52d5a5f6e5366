/** Arrays of jobs, over or not, from memory and from the views. */
import { arrayRecord, type ObservedJob, tagPart } from "../engine/index.ts";
import type { ArrayRecord } from "../model/index.ts";
import {
  type ArrayPage,
  type ArrayQuery,
  arrayOf,
  type BrokerApi,
  type Logbook,
  type Round,
  type ViewConditions,
} from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { type Conditions, conditionsOf } from "./observed-rows.ts";

/** Questions about arrays of jobs. */
export function arrayQuestions({ round, logbook }: Pick<ApiWorld, "round" | "logbook">) {
  return {
    array: (id) => findArray(round, logbook, id),
    arrays: (query) => listArrays(logbook, query),
    arraysBeginning: (prefix, limit, among) => arraysBeginning(logbook, prefix, limit, among ?? {}),
  } satisfies Partial<BrokerApi>;
}

/** An array's record: from memory, or from the views when it is over. */
export async function findArray(
  round: Round,
  logbook: Logbook,
  id: string,
): Promise<ArrayRecord | undefined> {
  const open = round.projection.arrays.get(id);
  if (open !== undefined) return arrayRecord(open, round.nowMs());
  const row = await logbook.record("arrays", id);
  return row === undefined ? undefined : arrayOf(row);
}

/** Ids that begin so, of arrays of these jobs; at most `limit`. */
async function arraysBeginning(
  logbook: Logbook,
  prefix: string,
  limit: number,
  among: ObservedJob,
): Promise<readonly string[]> {
  // Whoever sees the jobs at one site sees no arrays: these are at none.
  if (among.site !== undefined) return [];
  const { where, ...same } = conditionsOf(among);
  const { rows } = await logbook.rows("arrays", {
    ...{ ...same, where: { ...where, key: { beginsWith: prefix } }, limit },
  });
  return rows.map(({ key }) => key);
}

/** Arrays of a query, newest first. */
async function listArrays(logbook: Logbook, query: ArrayQuery): Promise<ArrayPage> {
  if (query.site !== undefined) return { items: [], next: undefined };
  const page = await logbook.rows("arrays", {
    ...arrayConditions(query),
    orderBy: "ord",
    descending: true,
    limit: query.limit ?? 100,
    ...(query.after === undefined ? {} : { after: query.after }),
  });
  return { items: page.rows.map(({ record }) => arrayOf(record)), next: page.next };
}

function arrayConditions(query: ArrayQuery) {
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
