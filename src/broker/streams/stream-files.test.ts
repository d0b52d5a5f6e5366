import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeStream } from "./stream-files.ts";

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
