/**
 * One table per view: its key, its record as text, an indexed column for each query field.
 *
 * Views are derived. If the wanted views differ from those of the file, all tables are made anew, empty,
 * and marked as stale until they are rebuilt from the log; views have no migrations.
 */
import type { RowChange } from "../prepare-commit.ts";
import type { View } from "../view-catalog.ts";
import { type Database, transaction } from "./database.ts";
import { readMeta, writeMeta } from "./schema.ts";

/** Quoted table of a view; a name cannot contain a quote. */
export function tableOf(view: string): string {
  return `main."view_${view}"`;
}

/** Temporary table of a replacement. */
export function stagingTableOf(view: string): string {
  return `temp."staged_${view}"`;
}

/** Makes the tables for `views`. Returns true if they must be rebuilt from the log. */
export function ensureViewTables(database: Database, views: readonly View[], projection: number): boolean {
  const wanted = wantedViews(views, projection);
  if (readMeta(database, "views") !== wanted) {
    transaction(database, () => {
      for (const name of existingTables(database)) database.exec(`DROP TABLE "${name}"`);
      for (const view of views) createTable(database, view);
      writeMeta(database, "views", wanted);
      const isEmptyLog = database.prepare("SELECT 1 FROM events LIMIT 1").get() === undefined;
      markStale(database, !isEmptyLog);
    });
  }
  return readMeta(database, "viewsAreStale") === "yes";
}

/** Description of these views as stored in a database. */
export function wantedViews(views: readonly View[], projection: number): string {
  return JSON.stringify({ projection, views });
}

/** Stores whether the views must be rebuilt. */
export function markStale(database: Database, isStale: boolean): void {
  writeMeta(database, "viewsAreStale", isStale ? "yes" : "no");
}

/** Declarations of the columns of a view's table. */
export function columnsSql({ columns }: View): string {
  const own = columns.map(({ name, type }) => `, "${name}" ${type === "text" ? "TEXT" : "INTEGER"}`);
  return `(key TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL${own.join("")}) STRICT`;
}

/** Applies changes to the tables that `tableNamed` names. */
export function rowWriter(
  database: Database,
  views: readonly View[],
  tableNamed: (view: string) => string,
): (change: RowChange) => void {
  const sql = new Map(views.map((view) => [view.name, writingSql(view, tableNamed(view.name))]));
  return ({ view, key, record, values }) => {
    const { upsert, remove } = sql.get(view) ?? { upsert: "", remove: "" };
    if (record === undefined) database.prepare(remove).run(key);
    else database.prepare(upsert).run(key, record, ...values);
  };
}

function writingSql({ columns }: View, table: string): { upsert: string; remove: string } {
  const names = ["key", "record", ...columns.map(({ name }) => `"${name}"`)];
  const places = names.map(() => "?").join(", ");
  const news = names.slice(1).map((name) => `${name} = excluded.${name}`);
  return {
    upsert:
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ` +
      `ON CONFLICT (key) DO UPDATE SET ${news.join(", ")}`,
    remove: `DELETE FROM ${table} WHERE key = ?`,
  };
}

function existingTables(database: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*'";
  return [...database.prepare(sql).iterate()].map(({ name }) => String(name));
}

function createTable(database: Database, view: View): void {
  database.exec(`CREATE TABLE ${tableOf(view.name)} ${columnsSql(view)}`);
  for (const { name } of view.columns) {
    database.exec(`CREATE INDEX "view_${view.name}.${name}" ON "view_${view.name}" ("${name}", key)`);
  }
}
