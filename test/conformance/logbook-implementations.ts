/**
 * The implementations of the logbook's port, and what the suite (logbook-*.test.ts beside this) needs of
 * each. A new implementation is a row of the table.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { Fault } from "../../src/base/index.ts";
import type { Commit, JsonObject, Logbook, ViewChange, ViewSchema } from "../../src/runtime/index.ts";
import { createMemoryLogbook, openSqliteLogbook } from "../../src/store/index.ts";

/** A place for one logbook. */
export interface LogbookPlace {
  /** Opens what is there, at first an empty log. */
  open(): Promise<Logbook>;
  remove(): void;
}

/** An implementation under test. */
export interface LogbookImplementation {
  readonly name: string;
  /** Whether what was closed can be opened again. */
  readonly isDurable: boolean;
  /** A new place, whose logbooks have these views. */
  place(views: readonly ViewSchema[]): LogbookPlace;
}

/** Everything that keeps the rules of src/store/README.md. */
export const logbookImplementations: readonly LogbookImplementation[] = [
  {
    name: "in memory",
    isDurable: false,
    place: (views) => ({ open: async () => createMemoryLogbook(views), remove: () => undefined }),
  },
  {
    name: "in SQLite",
    isDurable: true,
    place(views) {
      const directory = mkdtempSync(join(tmpdir(), "stint-logbook-"));
      return {
        open: () => openSqliteLogbook({ directory, views }),
        remove: () => rmSync(directory, { recursive: true }),
      };
    },
  },
];

/** A logbook for each test of a `describe`: empty when the test begins. */
export interface LogbookInTest {
  readonly logbook: Logbook;
  /** Closes it and opens it again. */
  reopen(): Promise<void>;
}

/** Registers what opens and removes it. */
export function logbookInTest({ place }: LogbookImplementation): LogbookInTest {
  let here: LogbookPlace;
  let logbook: Logbook;
  beforeEach(async () => {
    here = place(testViews);
    logbook = await here.open();
  });
  afterEach(async () => {
    await logbook.close();
    here.remove();
  });
  return {
    get logbook() {
      return logbook;
    },
    async reopen() {
      await logbook.close();
      logbook = await here.open();
    },
  };
}

/** The views of the suite. */
export const testViews: readonly ViewSchema[] = [
  { name: "jobs", columns: { consumer: "text", state: "text", startAtMs: "integer" } },
  { name: "accounts", columns: {} },
];

/** A commit of one event `jobMoved`, which puts the job into the view. */
export function jobMoved(id: string, more: JsonObject = {}): Commit {
  const body = { job: id, ...more };
  return { events: [{ kind: "jobMoved", version: 1, atMs: 1_700_000_000_000, body }], changes: rowsOf(body) };
}

/** The projection of the suite: a `jobMoved` is the job's row, `jobForgotten` takes it away. */
export function projectJobs({ kind, body }: { kind: string; body: JsonObject }): ViewChange[] {
  return kind === "jobMoved" ? rowsOf(body) : [{ ...rowsOf(body)[0], record: undefined }];
}

function rowsOf(body: JsonObject): ViewChange[] {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const startAtMs = typeof body.startAtMs === "number" ? body.startAtMs : null;
  const columns = { consumer: text(body.consumer), state: text(body.state), startAtMs };
  return [{ view: "jobs", key: String(body.job), record: body, columns }];
}

/** Everything that an iterable gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The fault that a promise is refused with. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof Fault) return thrown;
  throw new Error(`a Fault was expected, not ${String(thrown)}`);
}
