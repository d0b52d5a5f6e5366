import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimAttempt, readClaim } from "./job-files.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";
import { placesIn } from "./places.ts";
import { identify, isAlive } from "./process-identity.ts";
import { parseReports } from "./reports.ts";
import { ReportWriter } from "./supervisor.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-record-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the record of an attempt", () => {
  it("MS-22 what a dying writer left half a line of is no line, and the next one is whole", () => {
    const file = join(folder, "lines");
    appendJsonLine(file, { n: 1 }, false);
    appendFileSync(file, '{"n":');
    expect(readJsonLines(file)).toEqual([{ n: 1 }]);
    appendJsonLine(file, { n: 2 }, true);
    appendFileSync(file, "null\n7\n");
    expect(readJsonLines(file)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("MS-22 the first end is the last word", () => {
    const text = ["running", "ended", "resumed", "ended"].map((kind, atMs) =>
      JSON.stringify({ kind, atMs, cause: "exited" }),
    );
    expect(parseReports(`${text.join("\n")}\n`).map(({ atMs }) => atMs)).toEqual([0, 1]);
    expect(parseReports('{"kind":"dancing","atMs":1}\n{"kind":"ended"}\n')).toEqual([]);
  });

  it("MS-22 a report that cannot be written is written when it can, in its order", async () => {
    const spool = join(folder, "later", "1_1.jsonl");
    const writer = new ReportWriter(spool);
    writer.write({ kind: "running", atMs: 1, pid: 2, mark: "m" });
    writer.write({ kind: "ended", atMs: 3, cause: "exited", exitCode: 0 });
    mkdirSync(join(folder, "later"));
    const lines = (): string[] => parseReports(readIfAny(spool)).map(({ kind }) => kind);
    await expect.poll(lines, { timeout: 200_000 }).toEqual(["running", "ended"]);
  });

  it("MS-1 of all who claim an attempt one has it, and it stays so", () => {
    const places = placesIn(folder, join(folder, "spool"));
    const first = { by: "wrapper", pid: 1, mark: "a" } as const;
    expect(claimAttempt(places, first)).toBe(true);
    expect(claimAttempt(places, { by: "site", cause: "lost", detail: "" })).toBe(false);
    expect(readClaim(places)).toEqual(first);
    expect(claimAttempt(placesIn(join(folder, "purged"), ""), first)).toBe(false);
  });
});

describe("which process is meant", () => {
  it("MS-20 one number with another beginning, and one that has ended, is not the process", async () => {
    const child = spawn("sleep", ["60"]);
    const self = identify(child.pid ?? 0);
    if (self === undefined) throw new Error("it runs");
    expect(isAlive(self)).toBe(true);
    expect(isAlive({ ...self, mark: `${self.mark}0` })).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(self)).toBe(false);
  });
});

function readIfAny(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
