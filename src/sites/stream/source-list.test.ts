import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { openSourceList } from "./source-list.ts";

/** The list of a prefix `run-` of a directory. */
function listed(endless: boolean) {
  const directory = temporaryFolder();
  const there = join(directory, "data");
  const prefix = pathToFileURL(join(there, "run-")).href;
  const ending = new AbortController();
  const sources = [{ href: [prefix], list: "prefix" as const, endless }];
  const list = openSourceList({ sources, directory, idleMs: 5000 });
  const follow = () => list.follow(ending.signal, () => undefined);
  return { there, prefix, list, follow, end: () => ending.abort() };
}

describe("SW-10 a prefix", () => {
  it("with which no file begins ends the stream with the reason", async () => {
    const { there, prefix, follow, list } = listed(false);
    await expect(follow()).rejects.toMatchObject({
      kind: "missing",
      message: expect.stringContaining(there),
    });
    mkdirSync(there);
    writeFileSync(join(there, "other"), "x");
    await expect(follow()).rejects.toMatchObject({
      ...{ name: "SourceProblem", kind: "missing", message: `no file begins with ${prefix}` },
    });
    expect([list.isOpen(), list.count()]).toEqual([true, 0]);
    writeFileSync(join(there, "run-1"), "x");
    await follow();
    expect([list.isOpen(), list.count()]).toEqual([false, 1]);
  });

  it("that is endless waits for its directory, and for the first file", async () => {
    const { there, follow, list, end } = listed(true);
    const following = follow();
    await expect.poll(() => list.trouble()?.message).toContain(there);
    mkdirSync(`${there}.new`);
    writeFileSync(join(`${there}.new`, "run-1"), "x");
    renameSync(`${there}.new`, there);
    await expect.poll(list.count).toBe(1);
    expect([list.isOpen(), list.trouble()]).toEqual([true, undefined]);
    end();
    await expect(following).rejects.toMatchObject({ name: "AbortError" });
  });
});
