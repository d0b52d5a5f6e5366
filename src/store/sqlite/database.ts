/**
 * The little that the store asks of a SQLite library, so that another (node:sqlite, when Node 20 is
 * dropped) can take the place of better-sqlite3. Synchronous: only a worker thread opens one.
 *
 * The library is native code and is loaded when the first database is opened.
 */
import { Fault } from "../../base/index.ts";

/** What stands in a cell. */
export type SqlValue = string | number | null;

/** A row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A prepared statement. */
interface Statement {
  run(...values: readonly SqlValue[]): void;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  /** Rows as they are found; nothing else may run on the database meanwhile. */
  iterate(...values: readonly SqlValue[]): Iterable<SqlRow>;
}

/** An open database. */
export interface Database {
  exec(sql: string): void;
  /** The statement of this text, prepared once. */
  prepare(sql: string): Statement;
  /** Sets or asks a pragma; its value, if it says one. */
  pragma(setting: string): SqlValue | undefined;
  readonly inTransaction: boolean;
  close(): void;
}

/** How a database is opened. */
export interface DatabaseOptions {
  /** Make the file when it is not there. */
  readonly create: boolean;
  /** How long to wait for a lock of another connection. */
  readonly busyMs: number;
}

/** Opens `file` with better-sqlite3. */
export async function openDatabase(file: string, { create, busyMs }: DatabaseOptions): Promise<Database> {
  const { default: Sqlite } = await import("better-sqlite3").catch((error: unknown) => {
    throw sqliteMissing(error);
  });
  const database = new Sqlite(file, { fileMustExist: !create, timeout: busyMs });
  const statements = new Map<string, Statement>();
  return {
    exec: (sql) => void database.exec(sql),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare<SqlValue[], SqlRow>(sql);
      statements.set(sql, statement);
      return statement;
    },
    pragma: (setting) => database.pragma(setting, { simple: true }) as SqlValue | undefined,
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

/** All of `work` or nothing of it. When this returns, it is as durable as the database makes things. */
export function transaction<Value>(database: Database, work: () => Value): Value {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function sqliteMissing(cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "sqliteMissing",
    what: "the logbook cannot be opened",
    why: `the native module better-sqlite3 does not load: ${cause instanceof Error ? cause.message : cause}`,
    remedy: "run `npm rebuild better-sqlite3` with the Node that runs Stint (it needs a C++ compiler)",
    cause,
  });
}
