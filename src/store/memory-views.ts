/**
 * Views of a logbook in memory: one map per view; queries scan every row.
 *
 * The reference for ViewQuery, against which the SQL is tested. Cost of a query: O(n log n) in the rows of
 * the view; of one record: O(1).
 */
import type { ViewCondition, ViewPage } from "../runtime/index.ts";
import type { RowChange } from "./prepare-commit.ts";
import { compareText, compareValues } from "./value-order.ts";
import type { ColumnValue, ViewCatalog } from "./view-catalog.ts";
import { columnValue, type PlannedQuery, pageOf, type StoredRow } from "./view-query.ts";

/** Rows by view and key. */
export type MemoryViews = ReadonlyMap<string, Map<string, StoredRow>>;

/** All views without rows. */
export function emptyViews(catalog: ViewCatalog): MemoryViews {
  return new Map([...catalog.keys()].map((name) => [name, new Map<string, StoredRow>()]));
}

/** Applies changes in order. */
export function applyChanges(views: MemoryViews, changes: readonly RowChange[]): void {
  for (const { view, key, record, values } of changes) {
    if (record === undefined) views.get(view)?.delete(key);
    else views.get(view)?.set(key, { key, record, values });
  }
}

/** Page of rows for a query. */
export function selectRows(views: MemoryViews, plan: PlannedQuery): ViewPage {
  const { view, where, after, limit, descending, orderBy } = plan;
  const sign = descending ? -1 : 1;
  const compare = (a: ColumnValue, keyA: string, b: ColumnValue, keyB: string) =>
    sign * (compareValues(a, b) || compareText(keyA, keyB));
  const rows = [...(views.get(view.name)?.values() ?? [])]
    .filter((row) => where.every(({ column, test }) => holds(test, columnValue(view, row, column))))
    .map((row) => ({ row, value: columnValue(view, row, orderBy) }))
    .filter(({ row, value }) => !after || compare(value, row.key, after.value, after.key) > 0)
    .sort((a, b) => compare(a.value, a.row.key, b.value, b.row.key))
    .map(({ row }) => row);
  return pageOf(plan, rows.slice(0, limit), rows.length > limit);
}

function holds(test: ViewCondition, value: ColumnValue): boolean {
  if ("is" in test) return value === test.is;
  if (value === null) return false;
  if ("oneOf" in test) return test.oneOf.includes(value);
  if ("within" in test) return value === test.within || String(value).startsWith(`${test.within}/`);
  if ("beginsWith" in test) return String(value).startsWith(test.beginsWith);
  return Number(value) >= test.atLeast;
}
