import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readStreamScenario } from "./read.ts";

const example = readFileSync(resolve(import.meta.dirname, "../../../examples/streams/pool.yaml"), "utf8");
const codesOf = (text: string) =>
  readStreamScenario(text).problems.map(({ code, line }) => `${line} ${code}`);

describe("scenarios of streams", () => {
  it("FO-163 pool, streams and variants are read, with what is usual", () => {
    const { said, problems } = readStreamScenario(example);
    expect(problems).toEqual([]);
    expect(said?.variants).toEqual(["exact", "genetic", "equal-share", "staged", "reserved"]);
    expect(said?.scene.classes).toEqual([
      { name: "fast", procs: 4, speed: 1, type: "x86_64" },
      { name: "slow", procs: 4, speed: 0.6, type: "x86_64" },
    ]);
    expect(said?.scene.streams[0]).toMatchObject({
      ...{ id: "detector", submittedMs: 0, dataBytes: Infinity, blockBytes: 64_000_000 },
      utility: { kind: "log", weight: 3, unitBytesPerSec: 1_000_000 },
    });
  });

  it.each([
    ["a stream that no pool could hold", "storage: 20GB", "storage: 200GB", "11 minimumNeverMet"],
    ["too many processors", "procs: 4", "procs: 9", "13 minimumNeverMet"],
    ["another architecture", "weight: 1,", "weight: 1, type: i386,", "13 minimumNeverMet"],
    ["two streams of one id", "id: images", "id: detector", "13 duplicateStream"],
    ["a minimum above the maximum", "max: 20MB/s", "max: 1MB/s", "13 minimumAboveMaximum"],
    ["a block as large as the storage", "storage: 30GB", "storage: 30GB, block: 30GB", "13 blockTooLarge"],
    ["a weight of 0", "weight: 1", "weight: 0", "13 outOfRange"],
  ])("FO-163 %s is a problem with its line", (_, word, instead, expected) => {
    expect(codesOf(example.replace(word, instead))).toEqual([expected]);
  });
});
