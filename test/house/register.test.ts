import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/house/finding.ts";
import { plantBareTree } from "./plant.ts";

const imports = `
  import { type Feature, listOf } from "${join(repositoryRoot, "src/engine/feature.ts")}";
  import { FEATURES } from "${join(repositoryRoot, "src/engine/register.ts")}";
  import { peers } from "${join(repositoryRoot, "src/engine/features/peers/peer-book.ts")}";
`;

/** Lists of features, and the kinds that their errors name; none: they compile. */
const plants = [
  { name: "all", text: "listOf(FEATURES);", says: [] },
  {
    name: "without-answers",
    text: "const [sites, ...others] = FEATURES; listOf([{ ...sites, answers: {} }, ...others]);",
    says: ["commandsOfNone", '"addSite"', '"removeSite"'],
  },
  {
    name: "without-applies",
    text: "const [sites, ...others] = FEATURES; listOf([{ ...sites, applies: {} }, ...others]);",
    says: ["eventsOfNone", '"siteAdded"', '"siteRemoved"'],
  },
  {
    name: "without-rows",
    text: "const [sites, ...others] = FEATURES; listOf([{ ...sites, rows: {} }, ...others]);",
    says: ["changesOfNone", '"siteGone"'],
  },
  {
    name: "stored-twice",
    text: `const other = { name: "other", rows: { peer: peers.rows.peer } };
           listOf([...FEATURES, other]);`,
    says: ["changesOfTwo", '"peer"'],
  },
  {
    name: "answered-twice",
    text: `const other = { name: "other", answers: { submit: FEATURES[2].answers.submit } };
           listOf([...FEATURES, other]);`,
    says: ["commandsOfTwo", '"submit"'],
  },
  {
    name: "applied-twice",
    text: `const other = { name: "other", applies: { requestDenied: () => [] } };
           listOf([other, ...FEATURES]);`,
    says: ["eventsOfTwo", '"requestDenied"'],
  },
  {
    name: "joined-twice",
    text: `import { joined } from "${join(repositoryRoot, "src/base/joined.ts")}";
           joined([{ submit: 1, hold: 2 }, { hold: 3 }]);`,
    says: ["inTwo", '"hold"'],
  },
  {
    name: "unknown-kind",
    text: `export const other = {
             name: "other", applies: { nothingHappened: () => [] } } satisfies Feature;`,
    says: ["'nothingHappened' does not exist"],
  },
];

describe("the register of features", () => {
  it("does not compile where a kind has no handler, or two", () => {
    const root = plantBareTree({
      "tsconfig.json": JSON.stringify({
        extends: join(repositoryRoot, "tsconfig.base.json"),
        compilerOptions: {
          ...{ noEmit: true, types: [], noUnusedLocals: false, noErrorTruncation: true },
          ...{ rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true },
        },
        include: ["*.ts"],
      }),
      "package.json": JSON.stringify({ type: "module" }),
      ...Object.fromEntries(
        plants.map(({ name, text }) => [`${name}.ts`, `${imports}${text}\nexport {};\n`]),
      ),
    });
    const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
    const run = spawnSync(process.execPath, [join(compiler, "bin/tsc"), "-p", "."], {
      cwd: root,
      encoding: "utf8",
      // An error prints the whole types of all features.
      maxBuffer: 2 ** 26,
    });
    expect(run.error).toBeUndefined();
    const errors = run.stdout.split(/\n(?=\S)/).filter((error) => error !== "");
    for (const { name, says } of plants) {
      const its = errors.filter((error) => error.startsWith(`${name}.ts(`));
      expect(its, name).toHaveLength(says.length === 0 ? 0 : 1);
      for (const said of says) expect(its[0], name).toContain(said);
    }
    expect(errors).toHaveLength(plants.length - 1);
  });
});
