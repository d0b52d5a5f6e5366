/** Arrays of jobs, over or not, from memory and from the views. */
import { arrayRecord } from "../engine/index.ts";
import type { ArrayRecord } from "../model/index.ts";
import { arrayOf, type BrokerApi, type Logbook, type Round } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { groupsBeginning, listGroups } from "./group-lists.ts";

/** Questions about arrays of jobs. */
export function arrayQuestions({ round, logbook }: Pick<ApiWorld, "round" | "logbook">) {
  return {
    array: (id) => findArray(round, logbook, id),
    arrays: (query) => listGroups(logbook, "arrays", query, arrayOf),
    arraysBeginning: (prefix, limit, among = {}) =>
      groupsBeginning(logbook, "arrays", { prefix, limit, among }),
  } satisfies Partial<BrokerApi>;
}

/** An array's record: from memory, or from the views when it has ended. */
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
