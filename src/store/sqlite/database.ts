/**
 * The part of a SQLite library that the store needs, and the choice of the library: Node's own if there is
 * one, else better-sqlite3 ([why](../../../docs/decisions/0016-sqlite-drivers.md)). Synchronous: only a
 * worker thread opens a database. The library is loaded when the first database is opened.
 */
import { existsSync } from "node:fs";
import { Fault, messageOf } from "../../base/index.ts";

/** Content of a cell. */
export type SqlValue = string | number | null;

/** A row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A prepared statement. */
interface Statement {
  run(...values: readonly SqlValue[]): void;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  /** Rows as they are read; no other statement may run meanwhile. */
  iterate(...values: readonly SqlValue[]): Iterable<SqlRow>;
}

/** An open database. */
export interface Database {
  exec(sql: string): void;
  /** Prepared statement, cached by its text. */
  prepare(sql: string): Statement;
  /** Sets or reads a pragma; returns its value, if it has one. */
  pragma(setting: string): SqlValue | undefined;
  readonly inTransaction: boolean;
  close(): void;
}

/** Options of opening. */
export interface DatabaseOptions {
  /** True: make the file if absent. */
  readonly create: boolean;
  /** Longest wait for a lock of another connection, in ms. */
  readonly busyMs: number;
}

type Driver = (file: string, options: DatabaseOptions) => Database;

let driver: Driver | undefined;

/** Opens a database file. @throws Fault `sqliteMissing`; SQLite's errors carry its result code as `code` */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<Database> {
  driver ??= nodeDriver() ?? (await betterDriver());
  return driver(file, options);
}

/** Databases through the native module better-sqlite3. @throws Fault sqliteMissing */
async function betterDriver(): Promise<Driver> {
  const { default: Sqlite } = await import("better-sqlite3").catch((error: unknown) => {
    throw sqliteMissing(error);
  });
  try {
    // Its native part is loaded by the first database: the package may be there without it.
    new Sqlite(":memory:").close();
  } catch (error) {
    throw sqliteMissing(error);
  }
  return (file, { create, busyMs }) => {
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
  };
}

/**
 * Runs `work` in a transaction, all or nothing. On return it is durable as far as the database is
 * configured to be.
 */
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

/** The remedy depends on whether the package is absent, or there without its native part. */
function sqliteMissing(cause: unknown): Fault {
  const isAbsent = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
  return new Fault({
    kind: "failed",
    code: "sqliteMissing",
    what: "the logbook cannot be opened",
    why:
      `this Node.js (${process.version}) has no SQLite built in, and better-sqlite3 does not load: ` +
      messageOf(cause).split("\n", 1)[0],
    remedy:
      "use Node.js 22.16 or newer, which has SQLite built in; " +
      "or install a C++ compiler, make and Python 3, " +
      `and run \`npm ${isAbsent ? "install" : "rebuild"} better-sqlite3\``,
    cause,
  });
}

/** The part of `node:sqlite` that the store uses; the types of Node 20 do not know the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => {
    /** Absent before Node 22.16. */
    readonly isTransaction?: boolean;
    exec(sql: string): void;
    prepare(sql: string): {
      run(...values: readonly SqlValue[]): unknown;
      get(...values: readonly SqlValue[]): SqlRow | undefined;
      iterate(...values: readonly SqlValue[]): Iterable<SqlRow>;
    };
    close(): void;
  };
}

/** Opens databases; undefined where this Node.js has no SQLite that can do all that is needed. */
function nodeDriver(): Driver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return undefined;
  const probe = new sqlite.DatabaseSync(":memory:");
  const isComplete = probe.isTransaction !== undefined;
  // Node 22 reads a text up to its first NUL only: such a text must not be stored there.
  const isCut = probe.prepare("SELECT ? AS text").get("a\0b")?.text !== "a\0b";
  probe.close();
  return isComplete ? (file, options) => open(sqlite, file, { ...options, isCut }) : undefined;
}

/** The module, without the warning that some releases give of it; undefined where it is missing. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const module: object | undefined = process.getBuiltinModule("node:sqlite");
    return module !== undefined && isSqlite(module) ? module : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqlite(module: object): module is NodeSqlite {
  return "DatabaseSync" in module;
}

interface OpenOptions extends DatabaseOptions {
  /** Texts are read up to their first NUL. */
  readonly isCut: boolean;
}

function open({ DatabaseSync }: NodeSqlite, file: string, options: OpenOptions): Database {
  const { create, busyMs, isCut } = options;
  if (!create && !existsSync(file)) throw new SqliteError("unable to open database file", "SQLITE_CANTOPEN");
  const database = withCode(() => new DatabaseSync(file));
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = withCode(() => database.prepare(sql));
    const prepared: Statement = {
      run: (...values) => {
        if (isCut) values.forEach(refuseNul);
        withCode(() => statement.run(...values));
      },
      get: (...values) => withCode(() => statement.get(...values)),
      *iterate(...values) {
        try {
          yield* statement.iterate(...values);
        } catch (error) {
          throw named(error);
        }
      },
    };
    statements.set(sql, prepared);
    return prepared;
  };
  withCode(() => database.exec(`PRAGMA busy_timeout = ${busyMs}`));
  return {
    exec: (sql) => withCode(() => database.exec(sql)),
    prepare,
    pragma: (setting) => {
      const row = withCode(() => database.prepare(`PRAGMA ${setting}`).get());
      const values: readonly SqlValue[] = Object.values(row ?? {});
      return values[0];
    },
    get inTransaction() {
      return database.isTransaction === true;
    },
    close: () => withCode(() => database.close()),
  };
}

function refuseNul(value: SqlValue): void {
  if (typeof value !== "string" || !value.includes("\0")) return;
  throw new SqliteError("a text with a NUL character cannot be stored by this Node.js", "SQLITE_MISMATCH");
}

/** An error of SQLite with its result code as text, as better-sqlite3 has it: SQLITE_BUSY. */
class SqliteError extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Primary result codes (sqlite.org/rescode.html) that the store tells apart. */
const CODES: ReadonlyMap<number, string> = new Map([
  [3, "PERM"],
  [5, "BUSY"],
  [6, "LOCKED"],
  [8, "READONLY"],
  [10, "IOERR"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [14, "CANTOPEN"],
  [15, "PROTOCOL"],
  [18, "TOOBIG"],
  [19, "CONSTRAINT"],
  [20, "MISMATCH"],
  [23, "AUTH"],
  [25, "RANGE"],
  [26, "NOTADB"],
]);

function withCode<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  // The low byte of an extended result code is the primary one.
  const name = CODES.get(Number(error.errcode) & 0xff) ?? `ERROR_${error.errcode}`;
  return new SqliteError(error.message, `SQLITE_${name}`, error);
}
