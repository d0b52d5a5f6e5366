/** What a command loads before it does anything: counted, since times are the machine's. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const hook = `export async function load(url, context, next) {
  process._rawDebug("loads " + url);
  return next(url, context);
}`;
const registers = `import { register } from "node:module";
register("data:text/javascript,${encodeURIComponent(hook)}");`;

/** The files of this program and its libraries that a command line loads. */
function filesLoadedBy(...words: string[]): readonly string[] {
  const options = ["--import", `data:text/javascript,${encodeURIComponent(registers)}`];
  const { stderr } = spawnSync(process.execPath, [...options, join(root, "bin/stint.js"), ...words], {
    encoding: "utf8",
    env: { ...process.env, STINT_STATE_DIR: temporaryFolder(), STINT_URL: "" },
  });
  return [...stderr.matchAll(/^loads file:.*?\/((?:dist|node_modules)\/.*)$/gm)].map(([, file]) => file);
}

/** The modules in these files, of which the bundler keeps the names. */
function modulesIn(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const modules = [...readFileSync(join(root, file), "utf8").matchAll(/^\/\/ (\S+\.js)$/gm)];
    return modules.map(([, module]) => module);
  });
}

describe("the start of a command", () => {
  it("is its own: help loads no command, a command no other", () => {
    const help = filesLoadedBy("--help");
    expect(help.length).toBeLessThan(5);
    const ofHelp = modulesIn(help);
    expect(ofHelp).toContain("dist/cli/program.js");
    expect(ofHelp.filter((file) => file.startsWith("dist/model/"))).toEqual([]);
    expect(ofHelp.length).toBeLessThan(60);
    const list = filesLoadedBy("list");
    expect(list.length).toBeLessThan(12);
    const ofList = modulesIn(list);
    expect(ofList).toContain("dist/cli/list.js");
    expect(ofList).not.toContain("dist/cli/site.js");
    // A feature has a file with the words for its refusals and causes, and one with its operations.
    const ofFeatures = ofList.filter((file) => /^dist\/(?:model\/features\/|api\/.*-operations)/.test(file));
    expect(ofList.length - ofFeatures.length).toBeLessThan(110);
    const schemas = [...help, ...list, ...ofHelp, ...ofList].filter((file) =>
      /typebox|fastify|better-sqlite3/.test(file),
    );
    expect(schemas).toEqual([]);
  });

  it("loads charts when a report is written, and without the packages that they are made with", () => {
    const folder = temporaryFolder();
    const record = join(folder, "record.workload.jsonl");
    const accounting = ["examples/accounting.txt", "--since", "2026-03-03", "--until", "2026-03-07"];
    filesLoadedBy("import", "accounting", ...accounting, "--zone", "UTC", "-o", record);
    const words = ["sim", record, "--discipline", "easy", "--baseline"];
    const charts = (files: readonly string[]) =>
      files.filter((file) => /chart-library|echarts|zrender/.test(file));
    expect(charts(filesLoadedBy(...words))).toEqual([]);
    const written = filesLoadedBy(...words, "--report", join(folder, "page.html"));
    expect(charts(written)).toEqual(["dist/report/chart-library.js"]);
  });

  it("loads the library that reads YAML with a description, not before", () => {
    const ofYaml = (...words: string[]) =>
      modulesIn(filesLoadedBy(...words)).filter((file) => file.startsWith("node_modules/yaml/"));
    expect(ofYaml("check", "--help")).toEqual([]);
    expect(ofYaml("check", "examples/hello.yaml")).not.toEqual([]);
  });
});
