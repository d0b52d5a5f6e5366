/** Kills a process that archives, behind each step and in the middle of the removal: nothing is lost. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { LoggedEvent } from "../src/runtime/index.ts";
import { archiveEvents, openSqliteLogbook, verifyChain } from "../src/store/index.ts";
import { temporaryFolder } from "./stint.ts";

const EVENTS = 9_000;
const folder = temporaryFolder();
const loadFile = join(import.meta.dirname, "archive-kill-load.mjs");

async function all(events: AsyncIterable<LoggedEvent>): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of events) hashes.push(hash);
  return hashes;
}

it.each(["written", "verified", "named", "removing", "removed"])("ST-27 killed when %s", async (step) => {
  const state = join(folder, step);
  const open = () => openSqliteLogbook({ directory: join(state, "log"), views: [] });
  const first = await open();
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    ...{ kind: "noted", version: 1, atMs: 1_000 + n, body: { n } },
  }));
  await first.commit({ events, changes: [] });
  const before = await all(first.events(1));
  await first.close();

  const { signal, stderr } = spawnSync(process.execPath, [loadFile, state, step], { encoding: "utf8" });
  expect(signal, stderr).toBe("SIGKILL");

  const logbook = await open();
  expect(await all(logbook.events(1))).toEqual(before);
  await archiveEvents(logbook, { beforeMs: Number.MAX_SAFE_INTEGER, directory: join(state, "archive") });
  expect(await all(logbook.events(1))).toEqual(before);
  expect((await verifyChain(logbook.events(1))).kind).toBe("intact");
  expect((await logbook.search({ isNewestFirst: false, limit: 10 })).events).toHaveLength(1);
  expect(readdirSync(join(state, "archive"))).toHaveLength(1);
  await logbook.close();
});
