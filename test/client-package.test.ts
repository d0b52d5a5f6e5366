/**
 * `stint/client` as other programs have it: from the packed package, in a folder of its own, type-checked
 * and run by plain Node.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../scripts/house/build.mjs";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { temporaryFolder } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const compiler = join(root, "node_modules/typescript/bin/tsc");
const isRegistryThere = spawnSync("npm", ["ping"], { timeout: 20_000 }).status === 0;

/** As strict as a program can be: what it uses of the declarations has to hold. */
const STRICT = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: "ES2022", module: "NodeNext", types: [], outDir: "out", skipLibCheck: false },
  },
  files: ["program.ts"],
};

const PROGRAM = `
import { createClient, Fault, type JobView, type Operations, type StintClient } from "stint/client";

const client: StintClient = createClient({ socketPath: process.argv[2] ?? "" });
const [id = ""] = await client.submit([
  { executable: "sh", arguments: ["-c", "echo 42"], wallTimeSec: 60, userTags: { run: "7" } },
]);
const states: JobView["state"][] = [];
const job = await client.watch(id, ({ state }) => states.push(state));
let text = "";
for await (const part of client.readFile(id, job.stdOutput)) text += new TextDecoder().decode(part);
const site: Operations["getSite"]["answer"] = await client.call("getSite", { params: { name: "local" } });
const problem = await client.job("nosuchjob").catch((error: unknown) => error);
console.log(JSON.stringify({
  states: new Set(states).has("DONE"),
  exitCode: job.exitCode,
  text,
  site: site.name,
  code: problem instanceof Fault ? problem.code : null,
}));
client.close();

// @ts-expect-error: a size is called procs
void (() => client.submit([{ executable: "true", cpus: 2 }]));
// @ts-expect-error: there is no such operation
void (() => client.call("noSuchOperation"));
// @ts-expect-error: an operation on a job asks for its id
void (() => client.call("getJob"));
// @ts-expect-error: an exit code may be absent
void ((it: JobView): number => it.exitCode);

declare const process: { readonly argv: readonly string[] };
declare const console: { log(text: string): void };
declare class TextDecoder { decode(bytes: Uint8Array): string; }
`;

const EXPECTED = { states: true, exitCode: 0, text: "42\n", site: "local", code: "unknownJob" };

/** Type-checks and translates the program in a folder that has the package, and runs it. */
function runIn(folder: string, socketPath: string): unknown {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(STRICT));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const checked = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(checked.stdout).toBe("");
  const program = join(folder, "out/program.js");
  return JSON.parse(execFileSync(process.execPath, [program, socketPath], { cwd: folder, encoding: "utf8" }));
}

describe("stint/client in a program of TypeScript", () => {
  const state = temporaryFolder();
  let broker: LiveBroker;
  beforeAll(async () => {
    await build({ declarations: true });
    broker = await startLiveBroker(state);
  });
  afterAll(() => broker.end("SIGTERM"));

  it("type-checks and runs where the package is", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/stint"));
    expect(runIn(folder, join(state, "stint.sock"))).toEqual(EXPECTED);
  });

  it("its declarations need no other package, and explain fields", () => {
    const text = readFileSync(join(root, "dist/api/client/index.d.ts"), "utf8");
    expect(text).not.toMatch(/^import |import\(|typebox/m);
    expect(text).toContain("/** The requested time limit; null: the site's default */");
  });

  // Without the compiled store: the broker is another installation's.
  it.skipIf(!isRegistryThere)("type-checks and runs from the packed tarball (needs the registry)", () => {
    const folder = temporaryFolder();
    const npm = (cwd: string, ...words: readonly string[]) =>
      execFileSync("npm", [...words, "--ignore-scripts"], {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    const [{ filename = "" }] = JSON.parse(npm(root, "pack", "--json", "--pack-destination", folder));
    writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}');
    npm(
      folder,
      "install",
      join(folder, filename),
      "--omit=optional",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
    );
    expect(runIn(folder, join(state, "stint.sock"))).toEqual(EXPECTED);
    const [kib = ""] = execFileSync("du", ["-sk", "node_modules"], { cwd: folder, encoding: "utf8" }).split(
      "\t",
    );
    expect(Number(kib)).toBeLessThan(30_000);
    const stint = join(folder, "node_modules/.bin/stint");
    expect(execFileSync(stint, ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+/);
  });
});
