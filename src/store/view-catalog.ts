/**
 * Views of a logbook by name, with their columns in a fixed order.
 *
 * Plain data, so that it can be passed to a worker thread. Names become names of tables and columns, which
 * SQL compares without regard to case.
 */
import { assert } from "../base/index.ts";
import type { ViewSchema } from "../runtime/index.ts";

/** Type of a column. */
export type ColumnType = "text" | "integer";

/** Value in a column. */
export type ColumnValue = string | number | null;

/** A column of a view. */
export interface ViewColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A view with its columns ordered by name. */
export interface View {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}

/** The views by name. */
export type ViewCatalog = ReadonlyMap<string, View>;

/** Name of a record's key in conditions and orders. */
export const keyColumn: ViewColumn = { name: "key", type: "text" };

const reserved = new Set(["key", "record", "rowid", "oid"]);

/** Catalogue of these schemas; asserts that names are valid and unique. */
export function viewCatalog(schemas: readonly ViewSchema[]): ViewCatalog {
  assertNames(
    "a view",
    schemas.map(({ name }) => name),
  );
  return new Map(schemas.map((schema) => [schema.name, { name: schema.name, columns: columnsOf(schema) }]));
}

function columnsOf({ name: view, columns }: ViewSchema): ViewColumn[] {
  const names = Object.keys(columns).sort();
  assertNames(`a column of view ${view}`, names);
  return names.map((name) => ({ name, type: columns[name] }));
}

function assertNames(whose: string, names: readonly string[]): void {
  for (const name of names) {
    assert(
      /^[a-z][a-zA-Z0-9_]{0,59}$/.test(name) && !reserved.has(name.toLowerCase()),
      `the name of ${whose} is a letter with letters, digits and _, and not reserved: ${name}`,
    );
  }
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  assert(distinct.size === names.length, `the names of ${whose} differ, whatever their case`);
}
