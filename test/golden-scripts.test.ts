import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readGolden } from "./golden/read-golden.ts";
import { tellGolden } from "./golden/tell-golden.ts";

const folder = new URL("../scripts-golden/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));

describe("the golden scripts", () => {
  it("are a dozen at least", () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  it.each(names)("%s", (name) => {
    const { input, expected } = readGolden(readFileSync(new URL(name, folder), "utf8"));
    const told = tellGolden(input);
    expect(told, `what happens now:\n\n${told}`).toBe(expected);
  });

  it("say which line they do not understand", () => {
    expect(() => readGolden("site: 10 procs\nat noon: lunch\n")).toThrow("at noon: lunch");
    expect(() => readGolden("policy: a lot\n")).toThrow("a lot");
  });
});
