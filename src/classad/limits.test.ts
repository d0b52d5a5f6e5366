import { describe, expect, it } from "vitest";
import { adFrom, worth } from "../../test/classad-value.ts";

describe("CA-34 an evaluation beyond its cost limit is an error as a whole", () => {
  const chain = (length: number, link: (next: string) => string) =>
    adFrom(Array.from({ length }, (_, at) => `a${at} = ${link(`a${at + 1}`)}`).join("\n"));
  it.each([
    ["a chain of references without an end", chain(3_000, (next) => `isError(${next})`)],
    ["doubling", chain(40, (next) => `strcat(${next}, ${next})`)],
    ["doubling lists", chain(40, (next) => `{ ${next}, ${next} }`)],
  ])("%s", (_, self) => {
    expect(worth("isUndefined(a0)", { self })).toBe("error");
  });

  it.each([
    ["a giant list", `isError(size({${"1,".repeat(120_000)}1}))`],
    ["a long string", "isError(strcat(s, s)) ? 1 : 2", "1"],
    ["a string of strings", `size(string({${"s,".repeat(900)}s}))`, "error"],
    ["a slow pattern", `isError(regexp("${"(a|b)*".repeat(100)}c", s))`],
    ["what is put in many places", `size(replaceAll("", s, s))`],
  ])("%s", (_, text, value = "error") => {
    const self = adFrom(`s = "${"ab".repeat(20_000)}"`);
    expect(worth(text, { self })).toBe(value);
  });

  it("says of its context what it may cost", () => {
    const text = `sum({${"1,".repeat(99)}1})`;
    expect(worth(text, { workLimit: 1_000 })).toBe("100");
    expect(worth(text, { workLimit: 100 })).toBe("error");
  });

  it("is no error within the limits", () => {
    expect(worth("a0", { self: chain(900, (next) => `${next} ?: 1`) })).toBe("1");
  });
});
