import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { taskCommand } from "./task-command.ts";

describe("EN-215 a task that is a job of its own", () => {
  it("finds the directories of its outputs, whatever their names are", () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-task-"));
    writeFileSync(join(folder, "write.sh"), '#!/bin/sh\necho "$2" > "$1"\n', { mode: 0o600 });
    const path = "o $(touch made);'\"\\/in/b";
    const { executable, arguments: words } = taskCommand(
      { executable: "write.sh", arguments: [path, "--"] },
      { reads: ["write.sh"], writes: [path, "plain", "out/c"] },
    );
    expect(spawnSync(executable, words, { cwd: folder, encoding: "utf8" })).toMatchObject({
      ...{ status: 0, stderr: "" },
    });
    expect(readFileSync(join(folder, path), "utf8")).toBe("--\n");
    writeFileSync(join(folder, "out/c"), "");
    expect(() => readFileSync(join(folder, "made"))).toThrow("ENOENT");
  });

  it("keeps its command if no output is in a directory", () => {
    const command = { executable: "x", arguments: ["a"] };
    expect(taskCommand(command, { reads: [], writes: ["b"] })).toEqual(command);
  });
});
