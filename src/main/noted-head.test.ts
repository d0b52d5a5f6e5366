import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Logbook, LoggedEvent } from "../runtime/index.ts";
import { createMemoryLogbook } from "../store/index.ts";
import { notedHead, noteHeads, troubleOfLog } from "./noted-head.ts";

async function logOf(count: number): Promise<Logbook> {
  const logbook = createMemoryLogbook([]);
  for (let n = 1; n <= count; n++) {
    await logbook.commit({ events: [{ kind: "counted", version: 1, atMs: n, body: { n } }], changes: [] });
  }
  return logbook;
}

/** The log with one altered event. */
function altered(logbook: Logbook, seq: number): Pick<Logbook, "head" | "events" | "archives"> {
  return {
    head: () => logbook.head(),
    archives: () => logbook.archives(),
    async *events(fromSeq): AsyncIterable<LoggedEvent> {
      for await (const event of logbook.events(fromSeq)) {
        yield event.seq === seq ? { ...event, body: { n: 0 } } : event;
      }
    },
  };
}

it("a head that is noted is found again, and a log that leads there is in order", async () => {
  const directory = mkdtempSync(join(tmpdir(), "stint-head-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const logbook = await logOf(120);
  expect(await notedHead(directory)).toBeUndefined();
  await noteHeads(directory, logbook)();
  const noted = await notedHead(directory);
  expect(noted).toEqual(await logbook.head());
  expect(await troubleOfLog(logbook, noted)).toBeUndefined();
  expect(await troubleOfLog(logbook, undefined)).toBeUndefined();
});

it("a log that ends before the head that was noted has lost its end", async () => {
  const noted = await (await logOf(120)).head();
  expect(await troubleOfLog(await logOf(100), noted)).toContain("it has 100 events, and 120 were recorded");
});

it("an altered event is named, and so is a log of other events that leads elsewhere", async () => {
  const logbook = await logOf(120);
  expect(await troubleOfLog(altered(logbook, 77), undefined)).toContain("event 77 is altered");
  const noted = { seq: 100, hash: "f".repeat(64) };
  expect(await troubleOfLog(logbook, noted)).toContain("event 100 is altered");
});
