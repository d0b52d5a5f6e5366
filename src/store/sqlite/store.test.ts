/** Failures and refusals of a database: the store itself, in this thread. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultOf, jobMoved, testViews } from "../../../test/conformance/logbook-implementations.ts";
import type { ViewSchema } from "../../runtime/index.ts";
import { prepareCommit } from "../prepare-commit.ts";
import { viewCatalog } from "../view-catalog.ts";
import { createAppender } from "./append.ts";
import { type Database, openDatabase } from "./database.ts";
import { logbookFiles } from "./directory.ts";
import { openLogbookFile } from "./schema.ts";
import { openStore, type Store, sortedViews } from "./store.ts";

let directory = "";
const opened: { close(): void }[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stint-store-"));
});
afterEach(() => {
  for (const it of opened.splice(0)) it.close();
  rmSync(directory, { recursive: true, force: true });
});

const catalog = viewCatalog(testViews);
const prepared = (id: string) => prepareCommit(catalog, jobMoved(id));
const file = () => join(directory, "logbook.sqlite");

async function open(views: readonly ViewSchema[] = testViews, projection = 1): Promise<Store> {
  const store = await openStore({ directory, views: sortedViews(viewCatalog(views).values()), projection });
  opened.push(store);
  return store;
}
function close(store: Store): void {
  opened.splice(opened.indexOf(store), 1);
  store.close();
}
/** Database of a closed logbook with these jobs. */
async function databaseWith(...jobs: string[]): Promise<Database> {
  const store = await open();
  store.append(jobs.map(prepared));
  close(store);
  const database = await openDatabase(file(), { create: false, busyMs: 0 });
  opened.push(database);
  return database;
}
const keysIn = (database: Database) =>
  [...database.prepare("SELECT key FROM view_jobs ORDER BY key").iterate()].map(({ key }) => key);
const outcomes = (results: ReturnType<Store["append"]>) =>
  results.map((it) => (it.ok ? it.receipt.seq : it.fault.code));

describe("the database itself", () => {
  it.each([
    ["changed", "UPDATE events SET body = '{}' WHERE seq = 2"],
    ["renumbered", "UPDATE events SET seq = 9 WHERE seq = 3"],
    ["deleted", "DELETE FROM events WHERE seq = 3"],
    ["deleted all", "DELETE FROM events"],
    ["replaced", "INSERT OR REPLACE INTO events VALUES (2, 0, 'x', 1, '{}', '')"],
    ["entered with a gap", "INSERT INTO events VALUES (5, 0, 'x', 1, '{}', '')"],
  ])("refuses that events are %s", async (_, sql) => {
    const database = await databaseWith("a", "b", "c");
    expect(() => database.exec(sql)).toThrow(/events are/);
    expect(database.prepare("SELECT count(*) AS n FROM events").get()).toEqual({ n: 3 });
  });

  it("ST-4 syncs at every commit (synchronous FULL, a write-ahead log)", async () => {
    close(await open());
    const database = await openLogbookFile(logbookFiles(directory));
    opened.push(database);
    expect(database.pragma("synchronous")).toBe(2);
    expect(database.pragma("journal_mode")).toBe("wal");
  });
});

describe("group commit", () => {
  it("a commit that the database refuses fails alone, the rest of its group is written", async () => {
    const database = await databaseWith();
    const refusal = "WHEN NEW.key = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END";
    database.exec(`CREATE TRIGGER t BEFORE INSERT ON view_jobs ${refusal}`);
    const appender = createAppender(database, [...catalog.values()]);
    const results = appender.append(["a", "bad", "b", "c"].map(prepared));
    expect(outcomes(results)).toEqual([1, "commitRefused", 2, 3]);
    expect(keysIn(database)).toEqual(["a", "b", "c"]);
    expect(outcomes(appender.append([prepared("d")]))).toEqual([4]);
    expect(createAppender(database, []).head).toEqual(appender.head);
  });

  it("ST-20 when the disk is full, nothing of the group is written and nothing later is taken", async () => {
    const database = await databaseWith("a");
    const pages = Number(database.pragma("page_count"));
    database.pragma(`max_page_count = ${pages + 3}`);
    const appender = createAppender(database, [...catalog.values()]);
    const large = prepareCommit(catalog, jobMoved("large", { text: "x".repeat(100_000) }));
    expect(outcomes(appender.append([prepared("b"), large, prepared("c")]))).toEqual([
      "diskFull",
      "diskFull",
      "diskFull",
    ]);
    database.pragma(`max_page_count = ${pages + 3_000}`);
    expect(outcomes(appender.append([prepared("d")]))).toEqual(["diskFull"]);
    expect(keysIn(database)).toEqual(["a"]);
    expect(outcomes(createAppender(database, [...catalog.values()]).append([prepared("e")]))).toEqual([2]);
  });

  it("ST-20 when another program holds the database, the commits fail with a word about it", async () => {
    const database = await databaseWith("a");
    const other = await openDatabase(file(), { create: false, busyMs: 0 });
    opened.push(other);
    other.exec("BEGIN IMMEDIATE");
    const appender = createAppender(database, [...catalog.values()]);
    expect(outcomes(appender.append([prepared("b")]))).toEqual(["logbookBusy"]);
  });
});

describe("opening", () => {
  it("ST-16 a second one is refused with who has it, and let in when the first has closed", async () => {
    const first = await open();
    const fault = await faultOf(open());
    expect(fault.code).toBe("logbookInUse");
    expect(fault.why).toContain(`process ${process.pid} on `);
    close(first);
    expect((await open()).opened.head.seq).toBe(0);
  });

  it("ST-16 what a dead process left behind (its owner's name) does not keep anybody out", async () => {
    close(await open());
    writeFileSync(join(directory, "logbook.owner"), "process 1 on elsewhere\n");
    writeFileSync(join(directory, "logbook.lock"), "");
    await open();
  });

  it.each<[string, string, () => Promise<void>]>([
    ["a text", "logbookNotOurs", async () => writeFileSync(file(), "not a database at all\n".repeat(300))],
    ["an empty file", "logbookDamaged", async () => writeFileSync(file(), "")],
    ["the database of somebody else", "logbookNotOurs", async () => makeDatabase("CREATE TABLE mine (a)")],
    ["a logbook of a newer Stint", "logbookTooNew", async () => alter("PRAGMA user_version = 99")],
    ["a last event that was altered", "logbookDamaged", async () => forgeLastEvent()],
    ["a destroyed page", "logbookDamaged", async () => destroyPages()],
    ["a journal without its database", "logbookDamaged", async () => writeFileSync(`${file()}-wal`, "left")],
  ])("%s is refused in words, and left as it is", async (_, code, prepare) => {
    await prepare();
    const before = existsSync(file()) ? readFileSync(file()) : undefined;
    const fault = await faultOf(open());
    expect(fault.code).toBe(code);
    for (const sentence of [fault.what, fault.why, fault.remedy]) expect(sentence).not.toBe("");
    expect(existsSync(file()) ? readFileSync(file()) : undefined).toEqual(before);
    expect(existsSync(join(directory, "logbook.owner"))).toBe(false);
  });

  it("a file in the place of the directory is refused", async () => {
    writeFileSync(join(directory, "file"), "");
    const order = { views: [], projection: 1 };
    for (const below of ["file", "file/below"]) {
      const fault = await faultOf(openStore({ ...order, directory: join(directory, below) }));
      expect(fault.code).toBe("logbookNoDirectory");
    }
  });

  it("a directory without permission is refused", async () => {
    chmodSync(directory, 0o500);
    // What root may do says nothing: as nobody, then.
    if (process.geteuid?.() === 0) process.seteuid?.(65_534);
    try {
      expect((await faultOf(open())).code).toBe("logbookNotAllowed");
    } finally {
      if (process.getuid?.() === 0) process.seteuid?.(0);
      chmodSync(directory, 0o700);
    }
  });

  it("a creation that was interrupted leaves nothing in the way", async () => {
    writeFileSync(`${file()}.new`, "half a database");
    writeFileSync(`${file()}.new-journal`, "half a journal");
    const store = await open();
    store.append([prepared("a")]);
    const whileOpen = [
      "logbook.lock",
      "logbook.owner",
      "logbook.sqlite",
      "logbook.sqlite-shm",
      "logbook.sqlite-wal",
    ];
    expect(readdirSync(directory).sort()).toEqual(whileOpen);
    close(store);
    expect(readdirSync(directory).sort()).toEqual(["logbook.lock", "logbook.sqlite"]);
  });

  async function makeDatabase(sql: string): Promise<void> {
    const database = await openDatabase(file(), { create: true, busyMs: 0 });
    database.exec(sql);
    database.close();
  }
  async function alter(sql: string): Promise<void> {
    const database = await databaseWith("a", "b");
    database.exec(sql);
    opened.pop()?.close();
  }
  async function forgeLastEvent(): Promise<void> {
    await alter('DROP TRIGGER events_unchanged; UPDATE events SET body = \'{"job":"z"}\' WHERE seq = 2');
  }
  async function destroyPages(): Promise<void> {
    await alter("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytes = readFileSync(file());
    writeFileSync(file(), bytes.fill(0xa5, 4096));
  }
});

describe("views that change", () => {
  const [jobs, accounts] = testViews;
  const wider = { ...jobs, columns: { ...jobs.columns, owner: "text" as const } };

  it("ST-21 the same views, in whatever order, are kept", async () => {
    const store = await open();
    store.append([prepared("a")]);
    close(store);
    const again = await open([
      accounts,
      { ...jobs, columns: { startAtMs: "integer", state: "text", consumer: "text" } },
    ]);
    expect(again.opened.viewsAreStale).toBe(false);
    expect(again.answer({ kind: "record", asks: { view: "jobs", key: "a" } })).toBe('{"job":"a"}');
  });

  it.each<[string, readonly ViewSchema[], number]>([
    ["a new column", [wider, accounts], 1],
    ["a new view", [jobs, accounts, { name: "more", columns: {} }], 1],
    ["a view less", [jobs], 1],
    ["a new projection", testViews, 2],
  ])(
    "ST-21 %s empties the views, and they stay stale until they are replaced",
    async (_, views, projection) => {
      const first = await open();
      expect(first.opened.viewsAreStale).toBe(false);
      first.append([prepared("a")]);
      close(first);
      for (let time = 0; time < 2; time++) {
        const store = await open(views, projection);
        expect(store.opened.viewsAreStale).toBe(true);
        expect(store.opened.head.seq).toBe(1);
        expect(store.answer({ kind: "record", asks: { view: "jobs", key: "a" } })).toBeUndefined();
        close(store);
      }
      const store = await open(views, projection);
      store.answer({ kind: "beginStaging", asks: undefined });
      store.answer({ kind: "replaceViews", asks: undefined });
      close(store);
      expect((await open(views, projection)).opened.viewsAreStale).toBe(false);
    },
  );
});

describe("people", () => {
  it("ST-15 what was erased is in none of the files", async () => {
    const store = await open();
    const contents = () =>
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), "latin1"))
        .join("");
    for (const id of ["p1", "p2"]) {
      store.answer({
        kind: "putPerson",
        asks: { id, name: `Ada Lovelace ${id}`, contact: `${id}@example.org` },
      });
    }
    store.answer({ kind: "putPerson", asks: { id: "p1", name: "Ada King", contact: "king@example.org" } });
    expect(contents()).toContain("king@example.org");
    store.answer({ kind: "erasePerson", asks: "p1" });
    for (const trace of ["Ada King", "king@example.org", "Lovelace p1", "p1@example"]) {
      expect(contents()).not.toContain(trace);
    }
    expect(contents()).toContain("Ada Lovelace p2");
  });
});
