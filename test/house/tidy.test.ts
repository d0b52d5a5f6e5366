import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../scripts/house/finding.ts";
import { tidy } from "../../scripts/house/tidy.ts";
import { plantBareTree, rulesBrokenBy } from "./plant.ts";

const header = "/** A header. */\n";
const lines = (count: number, line = "0;") => `${line}\n`.repeat(count);
const oddPath = (folder: string) => ["", folder, "somebody", "file"].join("/");
const silencers = ["@ts#ignore", "@ts#expect-error", "biome#ignore lint/suspicious/noExplicitAny"].map((it) =>
  it.replace("#", "-"),
);
const registry = ["registry", "npmjs", "org"].join(".");

/** One planted file and the rules it must break (none: innocent). The text never says it outright. */
const plants: readonly { name: string; file: string; text: string; breaks: readonly string[] }[] = [
  {
    name: "401 lines",
    file: "src/queue/long.ts",
    text: header + lines(400),
    breaks: ["file-length"],
  },
  { name: "400 lines", file: "src/queue/full.ts", text: header + lines(399), breaks: [] },
  {
    name: "a function of 71 lines",
    file: "src/queue/long-function.ts",
    text: `${header}export function f() {\n${lines(69)}}\n`,
    breaks: ["function-length"],
  },
  {
    name: "a method of 71 lines",
    file: "scripts/long-method.ts",
    text: `class C {\nm() {\n${lines(69)}}\n}\n`,
    breaks: ["function-length"],
  },
  {
    name: "a function of 70 lines",
    file: "src/queue/full-function.ts",
    text: `${header}export function f() {\n${lines(68)}}\n`,
    breaks: [],
  },
  {
    name: "long bodies of tests",
    file: "src/queue/long-body.test.ts",
    text: `describe("d", () => {\n${lines(90)}});\nit.each([1])("i", () => {\n${lines(90)}});\n`,
    breaks: [],
  },
  {
    name: "a long function that tests use",
    file: "src/queue/long-tool.test.ts",
    text: `const f = () => {\n${lines(69)}};\n`,
    breaks: ["function-length"],
  },
  {
    name: "five parameters",
    file: "src/queue/five.ts",
    text: `${header}export const f = (a, b, c, d, e) => a;\n`,
    breaks: ["parameters"],
  },
  {
    name: "four parameters and this",
    file: "src/queue/four.ts",
    text: `${header}export function f(this: X, a, b, c, d) {}\n`,
    breaks: [],
  },
  {
    name: "a line of 111 columns",
    file: "src/queue/wide.ts",
    text: `${header}// ${"x".repeat(108)}\n`,
    breaks: ["line-length"],
  },
  {
    name: "a line of 110 columns, and a longer one with an address",
    file: "src/queue/just.ts",
    text: `${header}// ${"é".repeat(107)}\n// https://example.org/${"x".repeat(110)}\n`,
    breaks: [],
  },
  { name: "camel case", file: "src/queue/jobTable.ts", text: header, breaks: ["kebab-case"] },
  { name: "snake case", file: "test/job_table.ts", text: header, breaks: ["kebab-case"] },
  { name: "kebab case with suffixes", file: "test/job-table.fixture.d.ts", text: "", breaks: [] },
  { name: "utils", file: "src/queue/utils.ts", text: header, breaks: ["telling-name"] },
  { name: "helpers", file: "test/helpers.ts", text: "", breaks: ["telling-name"] },
  { name: "misc", file: "scripts/misc.ts", text: "", breaks: ["telling-name"] },
  { name: "common", file: "bench/common.mjs", text: "", breaks: ["telling-name"] },
  { name: "no header", file: "src/queue/bare.ts", text: "const a = 1;\n", breaks: ["header"] },
  { name: "a line comment for a header", file: "src/queue/slashes.ts", text: "// x\n", breaks: ["header"] },
  {
    name: "an index without words",
    file: "src/queue/index.ts",
    text: `export { a } from "./a.ts";`,
    breaks: [],
  },
  { name: "a script without a header", file: "scripts/bare.ts", text: "const a = 1;\n", breaks: [] },
  ...["function f() {}", "class C {}", "interface I {}", "type T = 1;", "const f = () => 1;"].map(
    (declaration, at) => ({
      name: `without a docstring: ${declaration}`,
      file: `src/queue/undocumented-${at}.ts`,
      text: `${header}import "./x.ts";\nexport ${declaration}\n`,
      breaks: ["docstring"],
    }),
  ),
  {
    name: "docstrings, overloads, constants and what is not exported",
    file: "src/queue/documented.ts",
    text: `${header}import "./x.ts";
/** Said once. */
export function f(a: string): void;
/** And again. */
export function f(a: number): void;
export function f(a: unknown): void {}
export const limit = 4;
function g() {}
/** Words. */
export type T = 1;
`,
    breaks: [],
  },
  ...[
    "Its price.",
    "Whose job.",
    "The same for sites.",
    "What it needs.",
    "Whether it runs.",
    "Begins it.",
  ].map((words, at) => ({
    name: `a pronoun for a subject: ${words}`,
    file: `scripts/house/pronoun-${at}.ts`,
    text: `/** A header. */\nimport "./x.ts";\ninterface I {\n  /** ${words} */\n  readonly a: 1;\n}\n`,
    breaks: ["docstring-subject"],
  })),
  {
    name: "subjects named, and a pronoun that is no docstring's beginning",
    file: "scripts/house/subjects.ts",
    text: `${header}/** Price of it. */\nconst a = 1;\n// Its price.\nconst b = "/** Its price. */";\n`,
    breaks: [],
  },
  { name: "to do", file: "src/queue/later.ts", text: `${header}// ${"TO"}${"DO"} x\n`, breaks: ["finished"] },
  { name: "fix me", file: "test/later.ts", text: `// ${"FIX"}${"ME"}: x\n`, breaks: ["finished"] },
  ...silencers.flatMap((words, at) => [
    {
      name: `${words} without a reason`,
      file: `src/queue/silenced-${at}.ts`,
      text: `${header}// ${words}\n`,
      breaks: ["reasoned-exceptions"],
    },
    {
      name: `${words} with an empty reason`,
      file: `src/queue/silenced-empty-${at}.ts`,
      text: `${header}// ${words}: x\n`,
      breaks: ["reasoned-exceptions"],
    },
    {
      name: `${words} with a reason`,
      file: `src/queue/reasoned-${at}.ts`,
      text: `${header}// ${words}: the types of that package are wrong\n`,
      breaks: [],
    },
  ]),
  ...["it.only", "describe.skip", "it.only.each([1])", "describe.concurrent.skip", "it.todo"].map(
    (call, at) => ({
      name: call,
      file: `src/queue/narrowed-${at}.test.ts`,
      text: `${call}("x", () => {});\n`,
      breaks: ["tests-run"],
    }),
  ),
  {
    name: "skips with a condition",
    file: "src/queue/conditional.test.ts",
    text: `it.skipIf(x)("a", (ctx) => { ctx.skip("b"); });\ndescribe.runIf(x)("c", () => {});\n`,
    breaks: [],
  },
  ...["work", "root", "home", "Users"].map((folder) => ({
    name: `a path below the ${folder} folder`,
    file: `docs/path-${folder.toLowerCase()}.md`,
    text: `Run \`${oddPath(folder)}\`.\n`,
    breaks: ["no-machine-paths"],
  })),
  {
    name: "paths inside the repository, on the web, and in captured output",
    file: "docs/paths.md",
    text: `src${oddPath("work")} ..${oddPath("root")} https://example.org${oddPath("home")} ~${oddPath("work")}\n`,
    breaks: [],
  },
  { name: "captured output", file: "test/fixtures/out.txt", text: oddPath("home"), breaks: [] },
  {
    name: "a registry",
    file: ".npmrc",
    text: `registry=https://${registry}/\n`,
    breaks: ["no-registry-hosts"],
  },
  {
    name: "a lock file with an address, and without one platform's package",
    file: "package-lock.json",
    text: JSON.stringify({
      packages: {
        "": { optionalDependencies: { a: "1" } },
        "node_modules/a": {
          resolved: "https://example.org/a.tgz",
          optionalDependencies: { "@x/b": "1", "@x/c": "1" },
        },
        "node_modules/a/node_modules/@x/b": { optionalDependencies: { a: "1" } },
      },
    }),
    breaks: ["lock-file-complete", "no-registry-hosts"],
  },
  {
    name: "links that lead nowhere",
    file: "docs/broken.md",
    text: `[a](gone.md) ![b](../gone.png "title")\n\n[c]: ./gone.md#part\n`,
    breaks: ["links-lead-somewhere"],
  },
  {
    name: "links that lead somewhere",
    file: "docs/linked.md",
    text: "[a](broken.md#x) [b](../src/queue/) [c](https://x.org) [d](#here) `[e](gone.md)`\n```\n[f](gone.md)\n```\n",
    breaks: [],
  },
  {
    name: "a map of sources, one of which has gone",
    file: "ARCHITECTURE.md",
    text: "`queue/gone.ts` `test/rules.test.ts` and `gone.ts`\n",
    breaks: ["sources-are-there"],
  },
  {
    name: "rules, one of them twice, one without a test",
    file: "src/queue/README.md",
    text:
      "- **XQ-1 In order** a\n- **XQ-2 An end** b\n- **XQ-12 A law** c\n- **XQ-3 One more** d\n" +
      "- **XQ-3 And again** e\n- see **XQ-9**\n",
    breaks: ["rules-are-unique", "rules-have-tests"],
  },
  {
    name: "rules without a title, with too long a text",
    file: "src/market/README.md",
    text: `- **XQ-20** a\n- **XQ-21 At most** ${"word ".repeat(41)}\n`,
    breaks: ["rules-are-laws"],
  },
  {
    name: "a test of an unwritten rule",
    file: "test/rules.test.ts",
    text: `it("XQ-1 holds");\nit("XQ-12, XQ-3, XQ-20, XQ-21");\nit("XQ-7 holds");\nit("UTF-8 is no rule");\n`,
    breaks: ["tests-name-written-rules"],
  },
];

let report: Report;
beforeAll(() => {
  const installed = { "node_modules/x/jobTable.ts": "", "dist/utils.js": "", ".git/x_y.ts": "" };
  const planted = Object.fromEntries(plants.map(({ file, text }) => [file, text]));
  report = tidy(plantBareTree({ ...installed, ...planted }));
});

describe("tidy", () => {
  it.each(plants)("$name: $breaks ($file)", ({ file, breaks }) => {
    expect(rulesBrokenBy(file, report.findings)).toEqual(breaks);
  });

  it("tells what is missing, at its place, and nothing else", () => {
    const told = (rule: string) =>
      report.findings
        .filter((it) => it.rule === rule)
        .map(({ file, line, what }) => `${file}:${line} ${what}`);
    expect(told("links-lead-somewhere")).toEqual([
      "docs/broken.md:1 links to gone.md, which is not there",
      "docs/broken.md:1 links to ../gone.png, which is not there",
      "docs/broken.md:3 links to ./gone.md#part, which is not there",
    ]);
    expect(told("lock-file-complete")).toEqual(["package-lock.json:1 @x/c 1 has no entry"]);
    expect(told("rules-have-tests")).toEqual(["src/queue/README.md:2 no test names XQ-2"]);
    expect(told("rules-are-unique")).toEqual(["src/queue/README.md:5 XQ-3 is written twice"]);
    expect(told("tests-name-written-rules")).toEqual([
      "test/rules.test.ts:3 names XQ-7, which no README in src/ states",
    ]);
  });

  it("leaves alone what is installed or built, and judges nothing else than was planted", () => {
    const files = new Set(plants.map(({ file }) => file));
    expect(report.seen).toBe(files.size);
    expect(report.findings.filter(({ file }) => !files.has(file))).toEqual([]);
  });

  it("fails when there was nothing to judge", () => {
    const empty = tidy(plantBareTree({ "README.md": "no source" }));
    expect(empty.findings.map(({ rule }) => rule)).toEqual(["sees-everything"]);
  });
});
