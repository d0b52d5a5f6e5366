/** The package has every file and names every library that its programs load. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, normalize, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../../scripts/house/build.mjs";
import { repositoryRoot } from "../../scripts/house/finding.ts";

/** Of dist/ alone; with documents, examples and two small libraries, less than 30 MB are installed. */
const MOST_BYTES = 18e6;
/** The command line, which is bundled, writes pages; no other program does. */
const NEVER_LOADED = "dist/main/verify-page.js";
const LOADED =
  /^(?:import|export)(?: [\w$*{][\w$*{},\s]*? from)? ?"([^"\n]+)";?$|(?<=await |=> |\()import\("([^"]+)"\)/gm;

const root = repositoryRoot;
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const installed = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
let packed: readonly string[];

/** Files of dist/ that npm packs: all but those that its list leaves out. */
function packedFiles(): readonly string[] {
  const left = new Set(readFileSync(join(root, "dist/.npmignore"), "utf8").split("\n"));
  return readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, "dist"), join(entry.parentPath, entry.name)))
    .filter((path) => !left.has(`/${path}`))
    .map((path) => `dist/${path}`);
}

beforeAll(async () => {
  await build();
  packed = packedFiles();
});

const modules = () => packed.filter((path) => /^dist\/(?!web\/).*\.js$/.test(path));

function loadedBy(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(LOADED)].map(([, atOnce, later]) => atOnce ?? later);
}

describe("the package", () => {
  it("has every module that its modules load", () => {
    const there = new Set(packed);
    const missing = modules().flatMap((path) =>
      loadedBy(path)
        .filter((name) => name.startsWith("."))
        .map((name) => normalize(join(path, "..", name)))
        .filter((name) => !there.has(name) && name !== NEVER_LOADED)
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("has the programs that the command line starts beside itself", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        ...["dist/sites/managed/wrapper.js", "dist/sites/slurm/watchdog-main.js"],
        ...["dist/sites/slurm/command-process-main.js", "dist/store/sqlite/worker.js"],
        ...["dist/store/samples/sample-thread.js", "dist/broker/predictions/worker.js"],
        ...["dist/broker/trials/worker.js", "dist/sim/scenario/worker.js", "dist/sim/variants/worker.js"],
        ...["dist/main/plan-thread.js", "dist/main/policy-study-thread.js", "dist/report/chart-library.js"],
        ...["dist/api/client/index.js", "dist/bundle/LICENSES"],
        ...["dist/web/index.html", "dist/api-page/static/swagger-ui-bundle.js"],
      ]),
    );
  });

  it("loads no library that is not installed with it", () => {
    const strange = modules()
      .filter((path) => !path.startsWith("dist/bundle/"))
      .flatMap((path) =>
        loadedBy(path)
          .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
          .map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? name)
          .filter((name) => !installed.has(name) && !builtinModules.includes(name))
          .map((name) => `${path}: ${name}`),
      );
    expect(strange).toEqual([]);
  });

  it("is small", () => {
    const bytes = packed.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});
