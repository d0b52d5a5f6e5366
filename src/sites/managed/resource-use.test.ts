import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { placesIn } from "./places.ts";
import { failedStage, watchResources } from "./resource-use.ts";

const hasProc = existsSync("/proc/self/io");
const MB = 1024 * 1024;

describe.runIf(hasProc)("what a job used", () => {
  it("MS-24 memory of all its processes together, and what they wrote", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-use-"));
    // A descendant of the first process has the memory; the data are on the disk before it ends.
    const text =
      `const a = Buffer.alloc(${64 * MB}, 1); const fs = require("fs"); const f = fs.openSync("out", "w"); ` +
      `fs.writeSync(f, a, 0, ${8 * MB}); fs.fsyncSync(f); setTimeout(() => a.length, 2000)`;
    const child = spawn("sh", ["-c", '"$0" -e "$1"; true', process.execPath, text], { cwd: folder });
    const use = watchResources(child.pid ?? 0);
    await once(child, "exit");
    const { peakMemoryBytes = 0, writtenBytes = -1 } = use();
    expect(peakMemoryBytes).toBeGreaterThan(64 * MB);
    expect(peakMemoryBytes).toBeLessThan(1024 * MB);
    expect(writtenBytes).toBeGreaterThanOrEqual(0);
  });

  it("MS-24 the stage that a job noted; what is no stage is none", () => {
    const directory = mkdtempSync(join(tmpdir(), "stint-use-"));
    const places = placesIn(directory, join(directory, "spool"));
    expect(failedStage(places)).toEqual({});
    mkdirSync(places.temporary);
    const note = (text: string) => writeFileSync(join(places.temporary, "stint-stage"), text);
    note("prologue\n");
    expect(failedStage(places)).toEqual({ failedStage: "prologue" });
    note("done\n");
    expect(failedStage(places)).toEqual({});
  });
});
