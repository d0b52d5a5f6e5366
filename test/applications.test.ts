/** Applications of this machine: a job that names one runs where it is, and finds it set up. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-applications-"));
const init = join(folder, "init.sh");
writeFileSync(init, "module() { LOADED=$2; export LOADED; }\n");
writeFileSync(join(folder, "solve"), '#!/bin/sh\necho "solved with $LOADED, $MODE, $1"\n', { mode: 0o700 });

describe("applications", () => {
  const { ask, status, until } = liveSetting([
    "  - { name: played, type: simulated, procs: 64, jobs: run }",
    "  - name: local",
    "    type: managed",
    "    procs: 2",
    "    applications:",
    `      solver: { modules: solver/7, init: ${init}, path: ${folder}, environment: { MODE: fast } }`,
  ]);

  it("the program of the site's table runs there, with its module and variables", async () => {
    const id = ask("submit", "--application", "solver", "--", "solve", "$HOME").out.trim();
    await until(id, "DONE");
    expect(status(id)).toMatchObject({ site: "local", exitCode: 0, applications: ["solver"] });
    expect(ask("logs", id).out).toBe("solved with solver/7, fast, $HOME\n");
    expect(ask("site", "show", "local").out).toContain(
      'GlueHostApplicationSoftwareRunTimeEnvironment = { "solver" }',
    );
  });

  it("one that no site has keeps the job waiting, and why says so; a wrong name is refused", async () => {
    const id = ask("submit", "--application", "solver", "--application", "other", "--", "solve").out.trim();
    await until(id, "WAITING");
    await expect.poll(() => ask("why", id).out).toContain("the application other is at none of them");
    const { code, err } = ask("submit", "--application", "no such", "--", "solve");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("must be an application") });
  });
});
