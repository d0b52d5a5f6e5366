import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

function demo(...words: string[]) {
  return spawnSync(process.execPath, [join(root, "bin/stint.js"), "demo", ...words], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
}

describe("the demo", () => {
  it("prints the comparison that the first page shows", () => {
    const page = readFileSync(join(root, "docs/start/scientist.md"), "utf8");
    const [, shown] = /The demo ends like this:\n\n```text\n([\s\S]*?)```/.exec(page) ?? [];
    const { status, stdout } = demo();
    expect(status).toBe(0);
    const printed = stdout.split("\n").map((line) => line.trimEnd());
    expect(shown.trimEnd().split("\n").length).toBeGreaterThan(10);
    for (const line of shown.trimEnd().split("\n")) expect(printed).toContain(line);
  });

  it("takes a trace of one's own, and says in three lines what is wrong with it", () => {
    const { status, stderr } = demo(join(root, "no-such.swf"));
    expect(status).toBe(2);
    expect(stderr).toMatch(/^stint: .*no-such\.swf.*\n {2}why: .+\n {2}do: {2}.+\n$/);
    expect(demo(join(root, "examples/poisson.swf"), "256").stdout).toContain("256 processors");
    expect(demo(join(root, "examples/poisson.swf"), "many").status).toBe(2);
  });
});
