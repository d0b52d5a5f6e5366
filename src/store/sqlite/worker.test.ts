/** Properties of the thread: shared syncs, reads that do not delay commits, and a reported end. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  all,
  faultOf,
  jobMoved,
  projectJobs,
  testViews,
} from "../../../test/conformance/logbook-implementations.ts";
import { rebuildViews } from "../rebuild.ts";
import { openLink, openSqliteLogbook, type SqliteLogbook } from "./open.ts";

let directory = "";
let logbook: SqliteLogbook;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-worker-"));
  logbook = await openSqliteLogbook({ directory, views: testViews });
});
afterEach(async () => {
  await logbook.close();
  rmSync(directory, { recursive: true });
});

const journalBytes = () => statSync(join(directory, "logbook.sqlite-wal")).size;

it("commits that wait together are one transaction: the journal of a burst stays small", async () => {
  const names = Array.from({ length: 200 }, (_, i) => `job${i}`);
  await Promise.all(names.map((id) => logbook.commit(jobMoved(id))));
  const burstBytes = journalBytes();
  await logbook.close();
  logbook = await openSqliteLogbook({ directory, views: testViews });
  for (const id of names) await logbook.commit(jobMoved(id));
  expect(burstBytes * 4).toBeLessThan(journalBytes());
});

it("a commit does not wait for the questions that were asked before it", async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => jobMoved(`job${i}`, { text: "x".repeat(200) }));
  await Promise.all(rows.map((commit) => logbook.commit(commit)));
  let answered = 0;
  const questions = Array.from({ length: 300 }, async () => {
    await logbook.rows("jobs", { limit: 1000, orderBy: "state" });
    answered += 1;
  });
  // By now the thread is at it; on a busy machine it answers many more before the commit reaches it.
  await questions[40];
  await logbook.commit(jobMoved("urgent"));
  expect(answered).toBeLessThan(questions.length);
  await Promise.all(questions);
});

it("ST-11 a page of large records ends early, and the next one goes on behind it", async () => {
  const text = "x".repeat(1_500_000);
  for (const id of ["a", "b", "c", "d", "e"]) await logbook.commit(jobMoved(id, { text }));
  const first = await logbook.rows("jobs", {});
  expect(first.rows.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  const second = await logbook.rows("jobs", { after: first.next ?? "" });
  expect(second.rows.map(({ key }) => key)).toEqual(["d", "e"]);
  expect(second.next).toBeUndefined();
  expect(await all(logbook.events(1))).toHaveLength(5);
});

it("ST-21 views that are not those of the file are rebuilt from the log", async () => {
  await logbook.commit(jobMoved("a", { state: "running" }));
  await logbook.close();
  logbook = await openSqliteLogbook({ directory, views: testViews, projection: 2 });
  expect(logbook.viewsNeedRebuild).toBe(true);
  expect(await logbook.record("jobs", "a")).toBeUndefined();
  await rebuildViews(logbook, projectJobs);
  expect(logbook.viewsNeedRebuild).toBe(false);
  expect(await logbook.record("jobs", "a")).toEqual({ job: "a", state: "running" });
});

it("when the thread dies, whoever waits is told, and so is whoever asks later", async () => {
  const opens = "p.postMessage([{ id: 0, ok: true, value: { head: {}, viewsAreStale: false } }]);";
  const dies = 'p.on("message", () => { throw new Error("out of memory"); });';
  const source = `import { parentPort as p } from "node:worker_threads"; ${opens} ${dies}`;
  const order = { directory, views: [], projection: 1 };
  const link = await openLink(order, new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  const fault = await faultOf(link.ask("person", "p1"));
  expect([fault.code, fault.why]).toEqual(["logbookFailed", "out of memory"]);
  expect((await faultOf(link.ask("person", "p2"))).code).toBe("logbookFailed");
});

it("the native library is loaded only where a logbook is opened", () => {
  const source = `
    import { createMemoryLogbook, openSqliteLogbook } from "./dist/store/index.js";
    createMemoryLogbook([]);
    process.stdout.write(String(process.report.getReport().sharedObjects.some((it) => /sqlite/.test(it))));
    const logbook = await openSqliteLogbook({ directory: process.argv[1], views: [] });
    process.stdout.write(String(process.report.getReport().sharedObjects.some((it) => /sqlite/.test(it))));
    await logbook.close();`;
  const hasOwnSqlite = process.getBuiltinModule("node:sqlite") !== undefined;
  const root = new URL("../../..", import.meta.url);
  const words = ["--input-type=module", "-e", source, join(directory, "other")];
  expect(execFileSync(process.execPath, words, { cwd: root, encoding: "utf8" })).toBe(
    `false${!hasOwnSqlite}`,
  );
});
