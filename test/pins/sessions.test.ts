/**
 * Broker sessions, each a text that an operator can read: what is in it is what a broker does today.
 * `STINT_PINS=write npx vitest run test/pins/sessions.test.ts` writes what came of the inputs anew.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { playedSession } from "./broker-session.ts";

const directory = resolve(import.meta.dirname, "sessions");
const names = readdirSync(directory).filter((name) => name.endsWith(".txt"));

describe("broker sessions", () => {
  it("are thirty", () => expect(names.length).toBeGreaterThanOrEqual(30));

  it.each(names)("%s", async (name) => {
    const file = join(directory, name);
    const text = readFileSync(file, "utf8");
    const folder = mkdtempSync(join(tmpdir(), "stint-session-"));
    try {
      const played = await playedSession(text, folder);
      if (process.env.STINT_PINS === "write") writeFileSync(file, played);
      else expect(played).toBe(text);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
