import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../runtime/index.ts";
import { emptyHead, verifyChain } from "../hash-chain.ts";
import { openSqliteLogbook, type SqliteLogbook } from "../sqlite/open.ts";
import { snapshotSqliteLogbook } from "../sqlite/snapshot.ts";
import { archiveEvents } from "./archive-events.ts";
import { verifyArchive } from "./verify-archives.ts";

let folder: string;
let logbook: SqliteLogbook;
const open = () => openSqliteLogbook({ directory: join(folder, "log"), views: [] });
const archive = (beforeMs: number) =>
  archiveEvents(logbook, { beforeMs, directory: join(folder, "archive") });

async function append(count: number, fromMs: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const event = { kind: "noted", version: 1, atMs: fromMs + i, body: { note: `n${fromMs + i}` } };
    await logbook.commit({ events: [event], changes: [] });
  }
}

async function all(events: AsyncIterable<LoggedEvent>): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** Rewrites the lines of an archive. */
function rewrite(file: string, change: (lines: string[]) => string[]): void {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  writeFileSync(file, gzipSync(`${change(lines).join("\n")}\n`));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stint-archive-"));
  logbook = await open();
  await append(10, 1_000);
});

afterEach(async () => {
  await logbook.close();
  await rm(folder, { recursive: true });
});

describe("an archived log", () => {
  it("reads as before, and its hash chain goes on from file to file to the live log", async () => {
    const before = await all(logbook.events(1));
    const [first] = await archive(1_004);
    const [second] = await archive(1_007);
    expect([first.through.seq, second.after.seq, second.through.seq]).toEqual([4, 4, 7]);
    expect(await logbook.archives()).toEqual([first, second]);
    expect(await all(logbook.events(1))).toEqual(before);
    expect(await all(logbook.events(6))).toEqual(before.slice(5));
    await append(2, 2_000);
    expect(await verifyChain(logbook.events(1))).toEqual({ kind: "intact", head: await logbook.head() });
    await logbook.close();
    logbook = await open();
    expect((await all(logbook.events(1))).slice(0, 10)).toEqual(before);
    const snapshot = await snapshotSqliteLogbook({ directory: join(folder, "log"), views: [] });
    expect((await all(snapshot.events(1))).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    snapshot.close();
  });

  it("is searched without what is archived", async () => {
    await archive(1_004);
    const found = await logbook.search({ isNewestFirst: false, limit: 100 });
    expect(found.events.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(
      (await logbook.search({ isNewestFirst: true, sinceMs: 0, untilMs: 1_003, limit: 9 })).events,
    ).toEqual([]);
  });

  it("keeps its newest event, and makes no file where nothing is old enough", async () => {
    expect(await archive(1_000)).toEqual([]);
    expect((await archive(9_999)).map(({ through }) => through.seq)).toEqual([9]);
    expect(await archive(9_999)).toEqual([]);
    await append(1, 3_000);
    expect((await logbook.head()).seq).toBe(11);
  });

  it("moves with its directory", async () => {
    const before = await all(logbook.events(1));
    await archive(1_004);
    await logbook.close();
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    folder = moved;
    logbook = await open();
    expect(await all(logbook.events(1))).toEqual(before);
  });

  it("names the file that is missing, or is another one", async () => {
    const [{ file }] = await archive(1_004);
    renameSync(file, `${file}.away`);
    await expect(all(logbook.events(1))).rejects.toMatchObject({ code: "archiveMissing" });
    expect(await all(logbook.events(5))).toHaveLength(6);
    writeFileSync(file, "no gzip");
    await expect(all(logbook.events(1))).rejects.toMatchObject({ code: "archiveDamaged" });
  });

  it("refuses an archive that does not end as the log has it, or leaves a gap", async () => {
    const [one] = await archive(1_004);
    const through = { seq: 7, hash: "0".repeat(64) };
    await expect(logbook.removeArchived({ ...one, after: one.through, through })).rejects.toThrow();
    const [, , , , , sixth, seventh] = await all(logbook.events(1));
    await expect(logbook.removeArchived({ ...one, after: sixth, through: seventh })).rejects.toThrow();
    expect(await all(logbook.events(5))).toHaveLength(6);
  });

  it("ST-27 takes up a file that was written and not recorded", async () => {
    const events = await all(logbook.events(1));
    const stopped = archiveEvents(logbook, {
      ...{ beforeMs: 1_004, directory: join(folder, "archive") },
      onStep: (step) => {
        if (step === "named") throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(await logbook.archives()).toEqual([]);
    const made = await archive(1_006);
    expect(made.map(({ after, through }) => [after.seq, through.seq])).toEqual([
      [0, 4],
      [4, 6],
    ]);
    expect(await all(logbook.events(1))).toEqual(events);
  });

  it("does not take up a file with other events", async () => {
    const [{ file }] = await archive(1_004);
    await logbook.close();
    await rm(join(folder, "log"), { recursive: true });
    logbook = await open();
    await append(10, 5_000);
    await expect(archive(9_999)).rejects.toMatchObject({ code: "archiveDamaged" });
    expect(readdirSync(join(folder, "archive"))).toEqual([file.split("/").at(-1)]);
    expect(await all(logbook.events(1))).toHaveLength(10);
  });
});

describe("the verification of an archive", () => {
  const swapped = ([head, a, b, c, ...rest]: string[]) => [head, a, c, b, ...rest];
  it.each([
    [
      "a changed event",
      (lines: string[]) => lines.map((it) => it.replace("n1002", "nXXXX")),
      3,
      "not what was",
    ],
    ["a removed event", (lines: string[]) => lines.filter((it) => !it.includes("n1002")), 3, "missing"],
    ["reordered events", swapped, 2, "missing"],
    ["a lost end", (lines: string[]) => lines.slice(0, -1), 4, "missing"],
    ["an added event", (lines: string[]) => [...lines, lines[4]], 5, "not what was"],
    [
      "a line that is none",
      (lines: string[]) => lines.map((it) => (it.includes("n1001") ? "x" : it)),
      2,
      "line",
    ],
  ])("names %s", async (_, change, seq, why) => {
    const [{ file, ...recorded }] = await archive(1_004);
    expect(await verifyArchive({ file, recorded }, emptyHead)).toMatchObject({ isIntact: true });
    expect(await verifyArchive({ file }, undefined)).toMatchObject({ isIntact: true });
    rewrite(file, change);
    for (const asked of [{ file, recorded }, { file }]) {
      const verdict = await verifyArchive(asked, undefined);
      expect(verdict).toMatchObject({ isIntact: false, seq, why: expect.stringContaining(why) });
    }
  });

  it("names a file that does not continue the one before, and a torn one", async () => {
    const [first] = await archive(1_003);
    const [second] = await archive(1_007);
    expect(await verifyArchive(second, first.through)).toMatchObject({ isIntact: true });
    expect(await verifyArchive(second, emptyHead)).toMatchObject({ isIntact: false, seq: 1 });
    const bytes = readFileSync(second.file);
    writeFileSync(second.file, bytes.subarray(0, bytes.length - 20));
    expect(await verifyArchive(second, first.through)).toMatchObject({ isIntact: false });
  });
});
