/**
 * Every row of a view, page by page.
 */
import type { JsonObject, Logbook } from "../runtime/index.ts";

/** The records of all rows that a query finds, in its order. */
export async function allRows(logbook: Logbook, view: string, query: Parameters<Logbook["rows"]>[1]) {
  const records: JsonObject[] = [];
  let after: string | undefined;
  do {
    const page = await logbook.rows(view, {
      ...query,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    records.push(...page.rows.map((row) => row.record));
    after = page.next;
  } while (after !== undefined);
  return records;
}
