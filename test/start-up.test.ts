/** What a command loads before it does anything: counted, since times are the machine's. */
import { spawnSync } from "node:child_process";
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

/** The modules of this program and its libraries that a command line loads. */
function loadedBy(...words: string[]): readonly string[] {
  const options = ["--import", `data:text/javascript,${encodeURIComponent(registers)}`];
  const { stderr } = spawnSync(process.execPath, [...options, join(root, "bin/stint.js"), ...words], {
    encoding: "utf8",
    env: { ...process.env, STINT_STATE_DIR: temporaryFolder(), STINT_URL: "" },
  });
  return [...stderr.matchAll(/^loads file:.*?\/((?:dist|node_modules)\/.*)$/gm)].map(([, file]) => file);
}

describe("the start of a command", () => {
  it("is its own: help loads no command, a command no other", () => {
    const help = loadedBy("--help");
    expect(help).toContain("dist/cli/program.js");
    expect(help.filter((file) => file.startsWith("dist/model/"))).toEqual([]);
    expect(help.length).toBeLessThan(60);
    const list = loadedBy("list");
    expect(list).toContain("dist/cli/list.js");
    expect(list).not.toContain("dist/cli/site.js");
    expect(list.length).toBeLessThan(110);
    const schemas = [...help, ...list].filter((file) => /typebox|fastify|better-sqlite3/.test(file));
    expect(schemas).toEqual([]);
  });
});
