import { beforeAll, describe, expect, it } from "vitest";
import rules from "../../.dependency-cruiser.mjs";
import type { Report } from "../../scripts/house/finding.ts";
import { coreFolders, folders, order, shared } from "../../scripts/house/folders.mjs";
import { blindSpots, checkLayers } from "../../scripts/house/layers.ts";
import { type Files, plantBareTree, plantTree, rulesBrokenBy } from "./plant.ts";

/** One planted file: what it says, and the rules it must break (none: innocent). */
const plants: readonly { file: string; text: string; breaks: readonly string[] }[] = [
  {
    file: "src/queue/knows-a-type-of-the-shell.ts",
    text: `import type { name } from "../store/index.ts"; export type T = typeof name;`,
    breaks: ["core-to-shell"],
  },
  {
    file: "src/queue/reads-files.ts",
    text: `import { readFileSync } from "node:fs"; export const read = readFileSync;`,
    breaks: ["core-without-node"],
  },
  {
    file: "src/queue/reads-files-without-prefix.ts",
    text: `import { readFileSync } from "fs"; export const read = readFileSync;`,
    breaks: ["core-without-node"],
  },
  {
    file: "src/runtime/sleeps.ts",
    text: `export { setTimeout } from "node:timers/promises";`,
    breaks: ["core-without-node"],
  },
  {
    file: "src/queue/past-the-index.ts",
    text: `export { name } from "../profile/inner.ts";`,
    breaks: ["through-the-index"],
  },
  {
    file: "src/main/past-the-index.ts",
    text: `export { name } from "../store/inner.ts";`,
    breaks: ["through-the-index"],
  },
  {
    file: "src/cli/past-the-index.ts",
    text: `export { name } from "../formats/inner.ts";`,
    breaks: ["through-the-index-cli"],
  },
  {
    file: "src/cli/loads-schemas.ts",
    text: `import { name } from "../contract/index.ts"; export const read = name;`,
    breaks: ["schemas-in-api"],
  },
  {
    file: "src/cli/knows-shapes.ts",
    text: `import type { name } from "../contract/index.ts"; export type T = typeof name;`,
    breaks: [],
  },
  {
    file: "src/api/declares-a-shape.ts",
    text: `import { Type } from "typebox"; export const shape = Type.Object({});`,
    breaks: ["schemas-in-contract"],
  },
  {
    file: "src/contract/declares-a-shape.ts",
    text: `import { Type } from "typebox"; export const shape = Type.Object({});`,
    breaks: [],
  },
  {
    file: "src/contract/files/loads-typebox.ts",
    text: `import { Type } from "typebox"; export const shape = Type.Object({});`,
    breaks: ["files-without-typebox"],
  },
  {
    file: "src/formats/room/reads-by-a-shape.ts",
    text: `import { name } from "../../contract/files/index.ts"; export const read = name;`,
    breaks: [],
  },
  {
    file: "src/api/client/loads-schemas.ts",
    text: `import { name } from "../../contract/index.ts"; export const read = name;`,
    breaks: ["client-without-schemas"],
  },
  {
    file: "src/engine/features/one/uses-another.ts",
    text: `import type { name } from "../two/some.ts"; export type T = typeof name;`,
    breaks: ["features-apart"],
  },
  {
    file: "src/engine/features/one/uses-the-state.ts",
    text: `import { name } from "../../state/some.ts";
           import { other } from "./own.ts"; export const all = [name, other];`,
    breaks: [],
  },
  {
    file: "src/engine/state/uses-a-feature.ts",
    text: `import { name } from "../features/two/some.ts"; export const read = name;`,
    breaks: ["state-without-features"],
  },
  {
    file: "src/cli/past-the-client.ts",
    text: `export { name } from "../api/client/inner.ts";`,
    breaks: ["through-the-index-cli"],
  },
  {
    file: "src/formats/swf/past-the-index-of-a-room.ts",
    text: `export { name } from "../dax/inner.ts";`,
    breaks: ["through-the-index-rooms"],
  },
  {
    file: "src/model/egg.ts",
    text: `import { hen } from "./hen.ts"; export const egg = () => hen;`,
    breaks: ["no-cycles"],
  },
  {
    file: "src/broker/loads-a-sibling-late.ts",
    text: `export const load = () => import("../store/index.ts");`,
    breaks: ["siblings-shell-broker"],
  },
  {
    file: "src/broker/leans-on-a-test.ts",
    text: `export { tool } from "../../test/tool.ts";`,
    breaks: ["src-stands-alone"],
  },
  {
    file: "src/broker/uses-a-development-package.ts",
    text: `import fc from "fast-check"; export const draw = fc.nat;`,
    breaks: ["declared-packages"],
  },
  {
    file: "src/broker/imports-nothing-there.ts",
    text: `export { name } from "./gone.ts";`,
    breaks: ["resolvable"],
  },
  { file: "src/stray/file.ts", text: "export const name = 1;", breaks: ["known-folder"] },
  { file: "src/stray.ts", text: "export const name = 1;", breaks: ["known-folder"] },
  {
    file: "web/knows-the-store.ts",
    text: `export { name } from "../src/store/index.ts";`,
    breaks: ["web-uses-the-client"],
  },
  ...coreFolders.map((folder) => ({
    file: `src/${folder}/uses-a-package.ts`,
    text: `import colors from "picocolors"; export const red = colors.red;`,
    breaks: [`core-without-packages-${folder}`],
  })),
  {
    file: "src/queue/uses-the-random-package.ts",
    text: `export { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";`,
    breaks: ["core-without-packages-queue"],
  },
  {
    file: "src/base/innocent.ts",
    text: `export { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";`,
    breaks: [],
  },
  {
    file: "src/profile/innocent.ts",
    text: `export { name } from "./inner.ts"; export { mulDiv } from "../base/index.ts";`,
    breaks: [],
  },
  {
    file: "src/cli/innocent.ts",
    text: `import colors from "picocolors"; import { name } from "../api/client/index.ts";
           import { name as swf } from "../formats/swf/index.ts"; import { join } from "node:path";
           export const all = [colors, name, swf, join];`,
    breaks: [],
  },
  {
    file: "src/store/innocent.test.ts",
    text: `import { it } from "vitest"; import { tool } from "../../test/tool.ts";
           import { name } from "../sim/index.ts"; import { name as deep } from "../profile/inner.ts";
           export const all = [it, tool, name, deep];`,
    breaks: [],
  },
  {
    file: "web/innocent.ts",
    text: `export { name } from "../src/api/client/index.ts"; export { mulDiv } from "../src/base/index.ts";`,
    breaks: [],
  },
];

/** Every folder has an index, an inner file, and a file that imports every other folder. */
function skeleton(): Files {
  const files: Record<string, string> = {
    "src/formats/swf/index.ts": `export const name = "swf";`,
    "src/contract/files/index.ts": `export const name = "files";`,
    "src/formats/dax/inner.ts": `export const name = "dax";`,
    "src/api/client/index.ts": `export const name = "client";`,
    "src/engine/features/one/own.ts": `export const other = "one";`,
    "src/engine/features/two/some.ts": `export const name = "two";`,
    "src/engine/state/some.ts": `export const name = "state";`,
    "src/api/client/inner.ts": `export const name = "client";`,
    // The other half of a cycle is told once, at its first file: egg.ts. Its import is of a type only.
    "src/model/hen.ts": `import type { egg } from "./egg.ts"; export const hen = (it: typeof egg) => it;`,
    "test/tool.ts": "export const tool = 1;",
  };
  for (const folder of folders) {
    if (folder !== "base") files[`src/${folder}/index.ts`] = `export const name = "${folder}";`;
    files[`src/${folder}/inner.ts`] = `export const name = "${folder}";`;
    const others = folders.filter((other) => other !== folder);
    files[`src/${folder}/imports-all.ts`] = others
      .map((other) => `import "../${other}/index.ts";`)
      .join("\n");
  }
  return files;
}

let report: Report;
beforeAll(async () => {
  const planted = Object.fromEntries(plants.map(({ file, text }) => [file, text]));
  report = await checkLayers(plantTree({ ...skeleton(), ...planted }));
});

describe("the folder rules", () => {
  it.each(plants)("$file breaks $breaks", ({ file, breaks }) => {
    expect(rulesBrokenBy(file, report.findings)).toEqual(breaks);
  });

  it.each(folders)("%s may import exactly what stands left of it", (folder) => {
    const row = (name: string) => order.findIndex((names) => names.includes(name));
    // Of the contract most may import types alone, which the plants above do.
    const loadsSchemas = ["api", "formats"].includes(folder);
    const allowed = folders.filter(
      (other) =>
        (row(other) < row(folder) && (other !== "contract" || loadsSchemas)) ||
        shared[other]?.includes(folder),
    );
    const file = `src/${folder}/imports-all.ts`;
    const refused = report.findings
      .filter((it) => it.file === file)
      .map(({ what }) => what.replace(/^imports src\/(\w+)\/index\.ts$/, "$1"));
    expect(new Set(refused)).toEqual(
      new Set(folders.filter((other) => other !== folder && !allowed.includes(other))),
    );
  });

  it("has no rule that nothing here can break, and each says what to do instead", () => {
    const broken = new Set(report.findings.map(({ rule }) => rule));
    for (const { name, comment } of rules.forbidden ?? []) {
      expect(broken, `some planted file breaks ${name}`).toContain(name);
      expect(comment?.length, `${name} has a remedy`).toBeGreaterThan(60);
    }
    for (const { remedy } of report.findings) expect(remedy).not.toMatch(/^see the rule/);
  });

  it("points at the import's line", () => {
    const finding = report.findings.find(({ file }) => file === "src/queue/imports-all.ts");
    expect(finding?.line).toBeGreaterThan(1);
  });

  it("fails when there was nothing to judge", async () => {
    const empty = await checkLayers(plantBareTree({ "README.md": "no source" }));
    expect(empty.seen).toBe(0);
    expect(empty.findings.map(({ rule }) => rule)).toEqual(["sees-everything"]);
  });

  it("fails when modules on disk were not judged, as with a compiler that has no API", () => {
    expect(blindSpots(2, ["src/queue/a.ts", "src/queue/b.ts"])).toMatchObject([
      { rule: "sees-everything", file: "src/queue/a.ts" },
    ]);
    expect(blindSpots(2, [])).toEqual([]);
  });

  it("judged every module that was planted", () => {
    expect(report.seen).toBeGreaterThan(plants.length + 2 * folders.length);
    expect(report.findings.map(({ rule }) => rule)).not.toContain("sees-everything");
  });
});
