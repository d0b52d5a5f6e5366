/**
 * Validates a query of a view for all implementations: names, types, limits, the cursor.
 *
 * A cursor names the last row of a page (order, value, key), not a number of rows, so that rows inserted or
 * deleted between two pages neither repeat nor hide others.
 */
import type {
  JsonObject,
  LoggedEvent,
  Receipt,
  ViewCondition,
  ViewConditions,
  ViewPage,
  ViewQuery,
} from "../runtime/index.ts";
import type { EventText } from "./hash-chain.ts";
import { isOfType } from "./prepare-commit.ts";
import { logDamaged, queryRefused } from "./store-fault.ts";
import { type ColumnValue, keyColumn, type View, type ViewCatalog, type ViewColumn } from "./view-catalog.ts";

/** A validated query; plain data. */
export interface PlannedQuery {
  readonly view: View;
  readonly where: readonly PlannedCondition[];
  /** One of these holds, each a list of conditions that all hold; undefined: no such condition. */
  readonly eitherOf: readonly (readonly PlannedCondition[])[] | undefined;
  readonly orderBy: string;
  readonly descending: boolean;
  readonly after: RowPlace | undefined;
  readonly limit: number;
}

/** A condition with the column it is on. */
export interface PlannedCondition {
  readonly column: string;
  readonly test: ViewCondition;
}

/** A row's place in an order. */
export interface RowPlace {
  readonly value: ColumnValue;
  readonly key: string;
}

/** A row as it is stored. */
export interface StoredRow {
  readonly key: string;
  readonly record: string;
  /** Values in the order of the view's columns. */
  readonly values: readonly ColumnValue[];
}

const defaultLimit = 100;
const greatestLimit = 1000;

/** @throws Fault badQuery, if the view has no answer */
export function planQuery(catalog: ViewCatalog, name: string, query: ViewQuery): PlannedQuery {
  const view = viewNamed(catalog, name);
  const { where = {}, eitherOf, orderBy = "key", descending = false, after, limit = defaultLimit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > greatestLimit) {
    throw queryRefused(`a page has 1 to ${greatestLimit} rows, not ${limit}`);
  }
  const column = columnNamed(view, orderBy);
  return {
    view,
    where: planConditions(view, where),
    eitherOf: eitherOf?.map((conditions) => planConditions(view, conditions)),
    orderBy,
    descending,
    after: after === undefined ? undefined : readCursor(after, { column, descending }),
    limit,
  };
}

/** The view. @throws Fault badQuery */
export function viewNamed(catalog: ViewCatalog, name: string): View {
  const view = catalog.get(name);
  if (view === undefined) throw queryRefused(`there is no view ${name}`);
  return view;
}

/** Page of these rows; `hasMore`: others follow. */
export function pageOf(plan: PlannedQuery, rows: readonly StoredRow[], hasMore: boolean): ViewPage {
  const last = rows.at(-1);
  return {
    rows: rows.map(({ key, record, values }) => ({
      key,
      record: parseStored(record, `record ${key} of view ${plan.view.name}`),
      columns: Object.fromEntries(plan.view.columns.map((column, i) => [column.name, values[i]])),
    })),
    next: hasMore && last !== undefined ? writeCursor(plan, last) : undefined,
  };
}

/** Value of a row in a column, or its key. */
export function columnValue({ columns }: View, row: StoredRow, column: string): ColumnValue {
  return column === keyColumn.name ? row.key : row.values[columns.findIndex(({ name }) => name === column)];
}

/** A stored event with its body. @throws Fault logbookDamaged */
export function parsedEvent(event: EventText & Receipt): LoggedEvent {
  return { ...event, body: parseStored(event.body, `event ${event.seq}`) };
}

/** Parses an object that was written as canonical text. @throws Fault logbookDamaged */
export function parseStored(text: string, what: string): JsonObject {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw logDamaged(`${what} is no longer valid JSON`, error);
  }
}

function columnNamed(view: View, name: string): ViewColumn {
  const column = name === keyColumn.name ? keyColumn : view.columns.find((it) => it.name === name);
  if (column === undefined) throw queryRefused(`view ${view.name} has no column ${name}`);
  return column;
}

function planConditions(view: View, conditions: ViewConditions): readonly PlannedCondition[] {
  return Object.entries(conditions).map(([of, test]) => planCondition(view, of, test));
}

function planCondition(view: View, name: string, test: ViewCondition): PlannedCondition {
  const { type } = columnNamed(view, name);
  const refuse = () => queryRefused(`column ${name} is ${type}: ${JSON.stringify(test)} does not fit`);
  if ("is" in test) {
    if (test.is !== null && !isOfType(type, test.is)) throw refuse();
  } else if ("oneOf" in test) {
    if (!test.oneOf.every((value) => isOfType(type, value))) throw refuse();
  } else if ("within" in test) {
    if (type !== "text" || !isOfType("text", test.within)) throw refuse();
  } else if ("beginsWith" in test) {
    if (type !== "text" || !isOfType("text", test.beginsWith)) throw refuse();
  } else if ("contains" in test) {
    if (type !== "text" || !test.contains.every((part) => isOfType("text", part))) throw refuse();
  } else if (type !== "integer" || !boundsOf(test).every((bound) => isOfType("integer", bound))) {
    throw refuse();
  }
  return { column: name, test };
}

function boundsOf(test: { readonly atLeast?: number; readonly before?: number }): readonly number[] {
  return [test.atLeast, test.before].filter((bound) => bound !== undefined);
}

function writeCursor({ view, orderBy, descending }: PlannedQuery, row: StoredRow): string {
  const place = [orderBy, descending, columnValue(view, row, orderBy), row.key];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function readCursor(cursor: string, order: { column: ViewColumn; descending: boolean }): RowPlace {
  const { column } = order;
  const [name, descending, value, key] = parseCursor(cursor);
  if (name !== column.name || descending !== order.descending) {
    throw queryRefused("the cursor belongs to a listing in another order");
  }
  const isValue = typeof value === "string" || typeof value === "number";
  if (typeof key !== "string" || !(value === null || (isValue && isOfType(column.type, value)))) {
    throw queryRefused("the cursor was not issued by this broker");
  }
  return { value, key };
}

function parseCursor(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(place)) return place;
  } catch {
    // Not JSON: said below, as for any other text that is not a cursor.
  }
  throw queryRefused("the cursor was not issued by this broker");
}
