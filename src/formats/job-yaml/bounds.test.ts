/** Texts that mean harm, and texts that are only large. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { readJobYaml } from "./read.ts";

const megabyte = 1 << 20;
const read = (text: string) => readJobYaml(text, { folder: ".", fileState: () => "readable" });

describe("bounds", () => {
  it.each([
    ["open brackets", `a: ${"[".repeat(megabyte)}`, "descriptionTooLarge"],
    ["open braces", "{a: ".repeat(megabyte / 4), "descriptionTooLarge"],
    ["commas", `[${",".repeat(megabyte)}`, "descriptionTooLarge"],
    ["40,000 lists in each other on a line", `${"- ".repeat(40_000)}a`, "descriptionTooLarge"],
    ["33 brackets", `executable: a\nx: ${"[".repeat(33)}${"]".repeat(33)}`, "descriptionTooLarge"],
    [
      "a staircase",
      Array.from({ length: 100 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      "descriptionTooLarge",
    ],
    ["a million documents", "---\n".repeat(megabyte / 4), "descriptionTooLarge"],
    ["quotes", '"'.repeat(100_000), "yamlSyntax"],
    ["directives without a document", "%a\n".repeat(100), "yamlSyntax"],
    ["aliases", `a: &a x\nb: [${"*a,".repeat(20_000)}]`, "badAlias"],
    ["an alias within itself", "executable: a\nx: &a [*a]", "badAlias"],
    ["an alias of nothing", "executable: *a", "badAlias"],
  ])("FO-25 refused: %s", (_, text, code) => {
    const { jobs, problems } = read(text);
    expect(jobs.length).toBe(0);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.length).toBeLessThanOrEqual(101);
  });

  it("FO-25 exponential aliases are refused early, with one problem", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`);
    const { problems } = read(`executable: a\na0: &a0 [ha, ha]\n${lines.join("\n")}`);
    expect(problems).toMatchObject([{ code: "badAlias" }]);
  });

  it("FO-25 a large file within the limits is read", () => {
    const variables = Array.from({ length: 20_000 }, (_, i) => `  V${i}: ${i}`).join("\n");
    const { jobs, problems } = read(
      `executable: a\narguments: ${"x ".repeat(200_000)}\nenvironment:\n${variables}`,
    );
    expect(problems).toEqual([]);
    expect(jobs[0].description.arguments.length).toBe(200_000);
    expect(Object.keys(jobs[0].description.environment).length).toBe(20_000);
  });

  it("FO-25 an alias refers to the last anchor of its name", () => {
    const text = "executable: &a one\narguments: [*a, &a two, *a]\nuserTags: &t {x: *a}\nother: *t";
    expect(read(text).jobs).toMatchObject([
      {
        description: {
          ...{ executable: "one", arguments: ["one", "two", "two"], userTags: { x: "two" } },
          attributes: { other: '[ x = "two" ]' },
        },
      },
    ]);
  });

  it("FO-25 any text gives jobs or problems with their positions", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("executable: a", "---", "...", "a: &a", "b: *a", "- x", "  - y", "? z", "%YAML 1.1"),
      fc
        .tuple(
          fc.constantFrom("procs", "memory", "wallTime", "environment", "arguments", "userTags"),
          fc.json(),
        )
        .map(([name, json]) => `${name}: ${json}`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const { jobs, problems } = read(lines.join("\n"));
        expect(jobs.length + problems.length).toBeGreaterThan(0);
        for (const { code, line: at = 0, column = 0 } of problems) {
          expect(code === "moreRemarks" || (at > 0 && column > 0)).toBe(true);
        }
      }),
      draws(1000),
    );
  });
});
