import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readReport, removeStream } from "./stream-files.ts";

it("of an ended stream nothing is left but what was set aside", async () => {
  const directory = mkdtempSync(join(tmpdir(), "stint-streams-"));
  const pool = { directory, inboundBytesPerSec: 1, storageBytes: 1 };
  for (const name of ["blocks", "inbox", "inbox-1", "stages", "results", "outbox", "set-aside"]) {
    mkdirSync(join(directory, "s", name), { recursive: true });
  }
  await removeStream(pool, "s", true);
  expect(readdirSync(join(directory, "s"))).toEqual(["set-aside"]);
  await removeStream(pool, "s", false);
  expect(existsSync(join(directory, "s"))).toBe(false);
});

it("a report of a stream that failed says why", async () => {
  const directory = mkdtempSync(join(tmpdir(), "stint-streams-"));
  const pool = { directory, inboundBytesPerSec: 1, storageBytes: 1 };
  const rates = { allocatedBytesPerSec: 1, receivedBytesPerSec: 0, processedBytesPerSec: 0 };
  const report = {
    ...{ state: "failed", at: "2026-11-27T10:00:00Z", ...rates, ackedBytes: 0, totalBytes: null },
    ...{ occupiedBytes: 0, quotaBytes: 1, halts: 0, haltedSec: 0, position: { seq: 0 }, trouble: null },
  };
  mkdirSync(join(directory, "s"));
  const read = async (failure: unknown) => {
    writeFileSync(join(directory, "s", "report.json"), JSON.stringify({ ...report, failure }));
    return (await readReport(pool, "s"))?.failure;
  };
  const why = "/no/such ended with spawn /no/such ENOENT and could not be started";
  expect(await read({ code: "applicationFailed", what: "the application failed", why })).toBe(why);
  expect(await read({ why: "x".repeat(9999) })).toHaveLength(500);
  for (const none of [null, {}, { why: 1 }, "why"]) expect(await read(none)).toBeUndefined();
  const stalled = async (stall: unknown) => {
    writeFileSync(join(directory, "s", "report.json"), JSON.stringify({ ...report, stall }));
    return (await readReport(pool, "s"))?.stall;
  };
  const since = "1970-01-01T00:00:01.000Z";
  expect(await stalled({ with: "sink", since })).toEqual({ with: "sink", sinceMs: 1000 });
  expect(await stalled({ with: "sink", since, nextAttempt: since })).toMatchObject({ nextAtMs: 1000 });
  for (const none of [null, {}, { with: "sky", since }, { with: "sink", since: "soon" }])
    expect(await stalled(none)).toBeUndefined();
});
