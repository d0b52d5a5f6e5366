import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lintCore } from "../../scripts/house/core-lint.ts";
import { type Report, repositoryRoot } from "../../scripts/house/finding.ts";
import { coreFolders } from "../../scripts/house/folders.mjs";
import { type Files, plantBareTree, plantTree, rulesBrokenBy } from "./plant.ts";

const world = "core-without-world";
const product = "quantities-through-mul-div";
const quantities = `import type { DurationMs, InstantMs, Procs, Quantity } from "../base/quantity.ts";\n`;

/** What the lint says about one line of the core. */
const said: readonly { line: string; breaks?: string; head?: string }[] = [
  { line: "export const now = () => Date.now();", breaks: world },
  { line: "export const now = () => new Date();", breaks: world },
  { line: "export type When = { at: Date };", breaks: world },
  { line: "export const now = () => performance.now();", breaks: world },
  { line: "export const draw = () => Math.random();", breaks: world },
  { line: `export const draw = () => Math["random"]();`, breaks: world },
  { line: "export const { random } = Math;", breaks: world },
  { line: "const m = Math; export const draw = () => m.random();", breaks: world },
  { line: "setTimeout(() => {}, 1);", breaks: world },
  { line: "setInterval(() => {}, 1);", breaks: world },
  { line: "setImmediate(() => {});", breaks: world },
  { line: "queueMicrotask(() => {});", breaks: world },
  { line: "export const id = process.pid;", breaks: world },
  { line: "export const bag = { process };", breaks: world },
  { line: "export const all = globalThis;", breaks: world },
  { line: `console.log("x");`, breaks: world },
  { line: "export const id = crypto.randomUUID();", breaks: world },
  { line: `export const page = fetch("x");`, breaks: world },
  { line: "export const numbers = new Intl.NumberFormat();", breaks: world },
  { line: "export const say = (n: number) => n.toLocaleString();", breaks: world },
  { line: `export const up = "i".toLocaleUpperCase();`, breaks: world },
  { line: "export const order = (a: string, b: string) => a.localeCompare(b);", breaks: world },
  { line: `export const load = () => import("../base/assert.ts");`, breaks: "core-without-dynamic-import" },

  { line: "export const f = (n: Procs, d: DurationMs) => n * d;", breaks: product, head: quantities },
  { line: "export const f = (d: DurationMs) => d / 1000;", breaks: product, head: quantities },
  { line: "export const f = (d: DurationMs) => 24 % d;", breaks: product, head: quantities },
  { line: "export const f = (n: Procs) => 2 ** n;", breaks: product, head: quantities },
  {
    line: "export const f = (x: number, n: Procs) => { x *= n; return x; };",
    breaks: product,
    head: quantities,
  },
  {
    line: "export const f = (x: number, n: Procs) => { x /= n; return x; };",
    breaks: product,
    head: quantities,
  },
  {
    line: "export const f = (a: InstantMs, b: InstantMs) => (b - a) * 2;",
    breaks: product,
    head: quantities,
  },
  { line: "export const f = (n: Procs | undefined) => (n ?? 1) * 2;", breaks: product, head: quantities },
  { line: "export const f = <T extends Procs>(n: T) => n * 2;", breaks: product, head: quantities },
  { line: `export const f = (n: Quantity<"gpus">) => -n * 2;`, breaks: product, head: quantities },

  { line: "export const f = (process: { pid: number }) => process.pid;" },
  { line: "export const f = (job: { process: number; date: number }) => job.process * job.date;" },
  { line: "export const f = ({ process: p }: { process: number }) => p;" },
  { line: "const random = () => 4; export const f = () => random() * 2;" },
  { line: "export const f = (it: { localeCompare: number }) => it.localeCompare;" },
  { line: "export const f = (a: number, b: number) => Math.floor(a / b) * (a % b);" },
  { line: "export const f = (a: Float64Array, at: number) => a[at] * a[at + 1];" },
  { line: "export const f = (a: InstantMs, d: DurationMs) => a + d > a - d;", head: quantities },
  { line: `export const f = (id: string & { readonly brand: "job" }) => id.length * 2;` },
];

/** What the core's own tsconfig refuses, whatever the lint says: there is no such thing there. */
const refusedByTypes = [
  "export const id = process.pid;",
  "setTimeout(() => {}, 1);",
  "export const title = document.title;",
  `console.log("x");`,
  `export const page = fetch("x");`,
  `export { readFileSync } from "node:fs";`,
];

const multiplies = `import type { Procs } from "./quantity.ts"; export const f = (n: Procs) => n * 2;`;
const saidIn = (at: number) => `src/queue/said-${at}.ts`;
const refusedIn = (at: number) => `src/model/refused-${at}.ts`;

let root: string;
let report: Report;
beforeAll(() => {
  const files: Record<string, string> = {
    "src/base/multiplies.ts": multiplies,
    "src/queue/clock.test.ts": "export const now = Date.now();",
    "src/store/clock.ts": "export const now = Date.now();",
    "src/engine/innocent.ts": "export const f = (n: number) => n * 2;",
  };
  for (const [at, { line, head }] of said.entries()) files[saidIn(at)] = `${head ?? ""}${line}\nexport {};\n`;
  for (const [at, line] of refusedByTypes.entries()) files[refusedIn(at)] = `${line}\nexport {};\n`;
  root = plantTree(files satisfies Files);
  report = lintCore(root);
});

describe("the lint of the core", () => {
  it.each(said.map((it, at) => ({ ...it, at, breaks: it.breaks ?? "nothing" })))(
    "$line breaks $breaks",
    ({ at, breaks }) => {
      const expected = breaks === "nothing" ? [] : [breaks];
      expect(rulesBrokenBy(saidIn(at), report.findings)).toEqual(expected);
    },
  );

  it("lets base multiply, tests look at the clock, and the shell be the shell", () => {
    for (const file of ["src/base/multiplies.ts", "src/queue/clock.test.ts", "src/store/clock.ts"]) {
      expect(rulesBrokenBy(file, report.findings), file).toEqual([]);
    }
  });

  it("points at the place and says what to do instead", () => {
    const finding = report.findings.find(({ file }) => file === saidIn(0));
    expect(finding).toMatchObject({ line: 1, column: 26, what: "Date is not for the core" });
    for (const { remedy } of report.findings) expect(remedy.length).toBeGreaterThan(30);
  });

  it("fails when the core program names no file", () => {
    const config = readFileSync(join(repositoryRoot, "tsconfig.core.json"), "utf8");
    const bare = plantBareTree({
      "tsconfig.core.json": config,
      "tsconfig.base.json": "{}",
      "src/store/clock.ts": "export {};",
    });
    expect(lintCore(bare).findings.map(({ rule }) => rule)).toEqual(["sees-everything"]);
  });
});

describe("tsconfig.core.json", () => {
  it("knows neither Node nor the DOM", () => {
    const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
    const run = spawnSync(process.execPath, [join(compiler, "bin/tsc"), "-p", "tsconfig.core.json"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(run.status).not.toBe(0);
    for (const [at, line] of refusedByTypes.entries()) {
      expect(run.stdout, line).toContain(`${refusedIn(at)}(1,`);
    }
    expect(run.stdout).not.toContain("src/engine/innocent.ts");
    expect(run.stdout).not.toContain("src/store/clock.ts");
  });

  it("covers exactly the core folders", () => {
    const config = readFileSync(join(repositoryRoot, "tsconfig.core.json"), "utf8");
    expect(JSON.parse(config).include).toEqual(coreFolders.map((folder) => `src/${folder}`));
  });
});
