/** Thousands of jobs in one file, and a broker that dies in the middle: each job is submitted once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("thousands of jobs in one file", () => {
  const { ask, begin, client, end, folder, up } = liveSetting([
    "  - { name: here, type: managed, procs: 1 }",
  ]);
  const count = 2500;
  const words = ["submit", "--key", "sweep", "-o", "name", "many.yaml"];
  const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

  it("are all submitted, once, also when the broker is killed and the command is repeated", async () => {
    const one = (at: number) => `executable: sleep\narguments: ["600"]\nuserTags: { at: "${at}" }\n`;
    const text = Array.from({ length: count }, (_, at) => one(at)).join("---\n");
    writeFileSync(join(folder, "many.yaml"), text);
    const { child, out } = begin(...words);
    while ((await client().jobs({ limit: 1 })).items.length === 0) await setTimeout(20);
    await end("SIGKILL");
    const first = linesOf(await out);
    expect(child.exitCode === 0 || first.length < count).toBe(true);
    await up();
    const again = ask(...words);
    expect(again).toMatchObject({ code: 0, err: "" });
    const ids = linesOf(again.out);
    expect(new Set(ids).size).toBe(count);
    expect(ids.slice(0, first.length)).toEqual(first);
    expect(linesOf(ask(...words).out)).toEqual(ids);
    const listed = linesOf(ask("list", "-o", "name", "--limit", "10000").out);
    expect(listed.toSorted()).toEqual(ids.toSorted());
    const other = ask("submit", "--key", "sweep", "--", "true");
    expect(other.code).not.toBe(0);
    expect(ask("submit", "--key", "a b", "--", "true").code).toBe(2);
  });
});
