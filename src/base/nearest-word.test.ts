import { describe, expect, it } from "vitest";
import { nearestWord } from "./index.ts";

describe("the nearest word", () => {
  it.each([
    ["procz", "procs"],
    ["porcs", "procs"],
    ["waltime", "wallTime"],
    ["walltiem", "wallTime"],
    ["rank", undefined],
    ["", undefined],
  ])("to %j is %j", (word, nearest) => {
    expect(nearestWord(word, ["procs", "wallTime", "executable"])).toBe(nearest);
  });

  it.each([
    ["inputs", "gpus"],
    ["x", "g"],
  ])("to %j is not %j", (word, far) => {
    expect(nearestWord(word, [far])).toBeUndefined();
  });

  it("is the first of equally near ones", () => {
    expect(nearestWord("cat", ["car", "bat"])).toBe("car");
  });
});
