/**
 * Queries on a view as SQL that uses an index.
 *
 * Equivalent to memory-views.ts. A page after a row is read in at most two parts, rows with null in the
 * ordering column and the others, since one condition over both would prevent SQLite from seeking in the
 * index.
 */
import type { ViewCondition } from "../../runtime/index.ts";
import { behindPrefix } from "../value-order.ts";
import type { View } from "../view-catalog.ts";
import type { PlannedCondition, PlannedQuery, RowPlace, StoredRow } from "../view-query.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import { tableOf } from "./view-tables.ts";

/** A part of SQL with its values. */
interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Rows, and whether more follow. */
export interface SelectedRows {
  readonly rows: readonly StoredRow[];
  readonly hasMore: boolean;
}

/**
 * Size in characters of a page's records after which it ends, so that no answer delays commits for long.
 */
const longestPage = 4 * 1024 * 1024;

/** Rows for a query. */
export function selectRows(database: Database, plan: PlannedQuery): SelectedRows {
  const rows: StoredRow[] = [];
  let characters = 0;
  for (const piece of pieces(plan)) {
    const { text, values } = pageSql(plan, piece);
    for (const row of database.prepare(text).iterate(...values)) {
      if (rows.length === plan.limit || characters > longestPage) return { rows, hasMore: true };
      const stored = storedRow(plan.view, row);
      rows.push(stored);
      characters += stored.record.length;
    }
  }
  return { rows, hasMore: false };
}

/** One record's text, or undefined. */
export function selectRecord(database: Database, view: string, key: string): string | undefined {
  const record = database.prepare(`SELECT record FROM ${tableOf(view)} WHERE key = ?`).get(key)?.record;
  return typeof record === "string" ? record : undefined;
}

function pageSql(plan: PlannedQuery, piece: Sql): Sql {
  const either = plan.eitherOf === undefined ? [] : [eitherSql(plan.eitherOf)];
  const conditions = [...plan.where.map(conditionSql), ...either, piece];
  const column = `"${plan.orderBy}"`;
  const direction = plan.descending ? " DESC" : "";
  const order = plan.orderBy === "key" ? `key${direction}` : `${column}${direction}, key${direction}`;
  const where = allSql(conditions);
  return {
    text: `SELECT * FROM ${tableOf(plan.view.name)} WHERE ${where.text} ORDER BY ${order} LIMIT ?`,
    values: [...where.values, plan.limit + 1],
  };
}

/** Rows after `after`, in reading order. */
function pieces({ after, orderBy, descending }: PlannedQuery): Sql[] {
  if (after === undefined) return [{ text: "TRUE", values: [] }];
  const beyond = descending ? "<" : ">";
  if (orderBy === "key") return [{ text: `key ${beyond} ?`, values: [after.key] }];
  const column = `"${orderBy}"`;
  const isBefore = after.value === null;
  const rest = behindInPiece(column, after, beyond);
  if (isBefore && !descending) return [rest, { text: `${column} IS NOT NULL`, values: [] }];
  if (!isBefore && descending) return [rest, { text: `${column} IS NULL`, values: [] }];
  return [rest];
}

function behindInPiece(column: string, { value, key }: RowPlace, beyond: string): Sql {
  return value === null
    ? { text: `${column} IS NULL AND key ${beyond} ?`, values: [key] }
    : { text: `(${column}, key) ${beyond} (?, ?)`, values: [value, key] };
}

function conditionSql({ column: name, test }: PlannedCondition): Sql {
  const column = `"${name}"`;
  if ("is" in test) return { text: `${column} IS ?`, values: [test.is] };
  if ("oneOf" in test) return oneOfSql(column, test);
  if ("within" in test) {
    const below = beginsWithSql(column, `${test.within}/`);
    return { text: `${column} = ? OR (${below.text})`, values: [test.within, ...below.values] };
  }
  if ("beginsWith" in test) return beginsWithSql(column, test.beginsWith);
  if ("contains" in test) return containsSql(column, test);
  return boundsSql(column, test);
}

function boundsSql(
  column: string,
  { atLeast, before }: { readonly atLeast?: number; readonly before?: number },
): Sql {
  const from = atLeast === undefined ? [] : [{ text: `${column} >= ?`, values: [atLeast] }];
  const to = before === undefined ? [] : [{ text: `${column} < ?`, values: [before] }];
  return allSql([...from, ...to]);
}

/** Each alternative may use an index of its own. */
function eitherSql(alternatives: readonly (readonly PlannedCondition[])[]): Sql {
  if (alternatives.length === 0) return { text: "FALSE", values: [] };
  const each = alternatives.map((conditions) => allSql(conditions.map(conditionSql)));
  return {
    text: each.map(({ text }) => `(${text})`).join(" OR "),
    values: each.flatMap(({ values }) => values),
  };
}

function allSql(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: "TRUE", values: [] };
  return {
    text: conditions.map(({ text }) => `(${text})`).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** No index helps here: the rows that the other conditions leave are looked through. */
function containsSql(column: string, { contains }: Extract<ViewCondition, { contains: unknown }>): Sql {
  const parts = contains.map(() => `instr(${column}, ?) > 0`);
  return { text: [`${column} IS NOT NULL`, ...parts].join(" AND "), values: contains };
}

/** Prefix condition as a range, for which an index is used; LIKE would ignore case. */
function beginsWithSql(column: string, prefix: string): Sql {
  const end = behindPrefix(prefix);
  if (end === undefined) return { text: `${column} >= ?`, values: [prefix] };
  return { text: `${column} >= ? AND ${column} < ?`, values: [prefix, end] };
}

function oneOfSql(column: string, { oneOf }: Extract<ViewCondition, { oneOf: unknown }>): Sql {
  return { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(oneOf)] };
}

function storedRow({ columns }: View, row: SqlRow): StoredRow {
  return {
    key: String(row.key),
    record: String(row.record),
    values: columns.map(({ name }) => row[name]),
  };
}
