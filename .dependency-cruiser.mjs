/**
 * Who may call whom. Run it with `npm run layers`, which also fails when it saw no modules.
 *
 * Every rule's comment says what to do instead. Type-only imports count: a type is knowledge too.
 * Tests (*.test.ts) are free of the folder rules, not of the one against cycles.
 */
import {
  bundledPackages,
  collections,
  coreFolders,
  corePackages,
  folders,
  order,
  shared,
  shellFolders,
} from "./scripts/house/folders.mjs";
import { withPackages } from "./scripts/house/with-packages.mjs";

const test = "\\.test\\.ts$";
const npm = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled", "npm-no-pkg", "npm-unknown"];

/** @param {readonly string[]} names */
const anyOf = (names) => `(${names.join("|")})`;
/** @param {readonly string[]} names */
const inside = (names) => `^src/${anyOf(names)}/`;
/** @param {readonly string[]} names */
const from = (names) => ({ path: inside(names), pathNot: test });

/**
 * @param {string} name
 * @param {string} comment what to do instead
 * @param {object} source
 * @param {object} target
 */
const forbid = (name, comment, source, target) => ({
  name,
  severity: "error",
  comment,
  from: source,
  to: target,
});

const pointsLeft = order.flatMap((row, at) => {
  const right = order.slice(at + 1).flat();
  const coreRight = right.filter((name) => coreFolders.includes(name));
  if (coreRight.length === 0) return [];
  return forbid(
    `imports-point-left-of-${row.join("-")}`,
    `Imports point left, and src/${row.join(", src/")} stands further left. Move what both need down ` +
      "(to model or queue), or let the folder on the right call this one with what it knows.",
    from(row),
    { path: inside(coreRight) },
  );
});

const coreSiblings = order
  .filter((row) => row.length > 1 && row.every((name) => coreFolders.includes(name)))
  .map((row) =>
    forbid(
      `siblings-${row.join("-")}`,
      "Domain siblings never import each other. What they share moves down to model or queue, what " +
        "combines them moves up to engine, what one needs of another comes in as a function argument.",
      from(row),
      { path: inside(row), pathNot: "^src/$1/" },
    ),
  );

const shell = [
  forbid(
    "core-to-shell",
    "The core decides, the shell does IO. Take what is needed as an argument (a value or a function), " +
      "or declare a port in src/runtime and let src/main wire it.",
    from(coreFolders),
    { path: inside(["runtime", ...shellFolders, "main"]) },
  ),
  forbid(
    "runtime-to-shell",
    "runtime knows its ports only. Declare what it needs as a port there; a shell folder implements it " +
      "and src/main hands it in.",
    from(["runtime"]),
    { path: inside([...shellFolders, "main"]) },
  ),
  forbid(
    "shell-to-main",
    "main wires things together and nothing imports it. Take what you need as an argument and let main " +
      "hand it in.",
    from(shellFolders),
    { path: inside(["main"]) },
  ),
  ...shellFolders
    .filter((name) => shared[name] === undefined)
    .map((name) =>
      forbid(
        `siblings-shell-${name}`,
        "Shell folders meet only in src/main, through ports and factories: let main hand in what is " +
          "needed. Free are src/formats for all, src/report for what writes pages, and src/api/client for " +
          "src/cli.",
        from([name]),
        {
          path: inside(shellFolders),
          pathNot: [
            `^src/${name}/`,
            inside(Object.keys(shared).filter((other) => shared[other]?.includes(name))),
            ...(name === "cli" ? ["^src/api/client"] : []),
          ],
        },
      ),
    ),
  forbid(
    "siblings-shell-shared",
    "Other shell folders use formats and report, so these use none of them: text to model and back, " +
      "content to pages, nothing else.",
    from(Object.keys(shared)),
    { path: inside(shellFolders), pathNot: "^src/$1/" },
  ),
];

const contract = [
  forbid(
    "schemas-in-api",
    "The schemas are loaded by what checks requests and files (src/api, src/formats) alone: TypeBox costs " +
      "everybody else their start. Import the types of the contract, and ask through the client.",
    from(folders.filter((name) => !["contract", "api", "formats"].includes(name))),
    { path: inside(["contract"]), dependencyTypesNot: ["type-only"] },
  ),
  forbid(
    "schemas-in-contract",
    "A shape is declared once, in src/contract, and nowhere else: write its schema there, and import it or " +
      "its type.",
    { path: "^src/", pathNot: [test, inside(["contract"])] },
    { path: "(^|/)typebox/", pathNot: "typebox/(build/)?compile" },
  ),
  forbid(
    "files-without-typebox",
    "The shapes of files are loaded by every command that reads a file, and TypeBox would take longer than " +
      "all else that it does: write them with src/contract/files/shape.ts.",
    { path: "^src/contract/files/", pathNot: test },
    { path: "(^|/)typebox/|^src/contract/[^/]+\\.ts$", dependencyTypesNot: ["type-only"] },
  ),
  forbid(
    "client-without-schemas",
    "The client is loaded by every command: it knows the table of operations, and the types of the contract.",
    { path: "^src/api/(client/|operations)", pathNot: test },
    { path: inside(["contract"]), dependencyTypesNot: ["type-only"] },
  ),
];

const engine = [
  forbid(
    "features-apart",
    "Features never use each other. What two of them read stands in src/engine/state; what one brings " +
      "about reaches the others as events.",
    { path: "^src/engine/features/([^/]+)/", pathNot: test },
    { path: "^src/engine/features/", pathNot: "^src/engine/features/$1/" },
  ),
  forbid(
    "state-without-features",
    "The state is what features share: it knows none of them. Move what it needs beside it.",
    { path: "^src/engine/state/", pathNot: test },
    { path: "^src/engine/(features/|register)" },
  ),
];

const entries = [
  "^src/[^/]+/index\\.ts$",
  "^src/contract/files/index\\.ts$",
  `^src/${anyOf(collections)}/[^/]+/index\\.ts$`,
];
const client = "^src/api/client/(index|in-page)\\.ts$";
const throughTheIndex =
  "A folder is entered through its index.ts only. Import from there, and if the name is missing, add it " +
  "to the index's named re-exports (so that it becomes part of what the folder promises).";

const doors = [
  forbid(
    "through-the-index",
    throughTheIndex,
    { path: "^src/(?!cli/)([^/]+)/", pathNot: test },
    { path: "^src/[^/]+/.", pathNot: ["^src/$1/", ...entries, test] },
  ),
  forbid("through-the-index-cli", throughTheIndex, from(["cli"]), {
    path: "^src/[^/]+/.",
    pathNot: ["^src/cli/", ...entries, client, test],
  }),
  forbid(
    "through-the-index-rooms",
    `Inside ${collections.join(" and ")} every subfolder is a room of its own. ${throughTheIndex}`,
    { path: `^src/${anyOf(collections)}/([^/]+)/`, pathNot: test },
    {
      path: `^src/${anyOf(collections)}/[^/]+/.`,
      pathNot: ["^src/$1/$2/", ...entries, test],
    },
  ),
  forbid(
    "web-uses-the-client",
    "The UI knows the typed client (src/api/client) and the formatting of src/base, nothing else. What it " +
      "needs of the broker is a route and a method of the client.",
    { path: "^web/" },
    { path: "^src/", pathNot: [client, "^src/base/index\\.ts$"] },
  ),
];

const outside = [
  forbid(
    "core-without-node",
    "The core has no IO, clock or process. Take the text, the number or the function as an argument and " +
      "leave node: to the shell (formats, store, sites, broker, sim, api, cli, main).",
    from([...coreFolders, "runtime"]),
    { dependencyTypes: ["core"] },
  ),
  ...coreFolders.map((folder) =>
    forbid(
      `core-without-packages-${folder}`,
      "The core uses no npm package (base: pure-rand only). Write the little that is needed, or do it in " +
        "the shell and hand in the result. The allow-list is corePackages in scripts/house/folders.mjs.",
      from([folder]),
      {
        dependencyTypes: npm,
        ...(corePackages[folder] && { pathNot: `(^|/)node_modules/${anyOf(corePackages[folder])}/` }),
      },
    ),
  ),
  forbid(
    "declared-packages",
    "src/ runs where only `dependencies` are installed. Do without the package, add it to bundledPackages " +
      "in scripts/house/folders.mjs if only the command line and the broker use it, or move it from " +
      "devDependencies to dependencies in package.json.",
    { path: "^src/", pathNot: [test, ...withPackages.map((file) => `^src/${file}$`)] },
    {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      dependencyTypesNot: ["npm", "type-only"],
      pathNot: `(^|/)node_modules/${anyOf(bundledPackages)}/`,
    },
  ),
  forbid(
    "src-stands-alone",
    "What ships does not lean on tests, scripts or benchmarks. Move the shared piece into src/ and let " +
      "the test import it from there.",
    { path: "^(src|web)/", pathNot: test },
    { path: `^(test|scripts|bench|experiments|examples)/|${test}` },
  ),
];

/** @type {import("dependency-cruiser").IConfiguration} */
const configuration = {
  forbidden: /** @type {import("dependency-cruiser").IForbiddenRuleType[]} */ ([
    forbid(
      "no-cycles",
      "These files need each other (types count). Move what both need into a third file that needs " +
        "neither; inside a folder import the file itself, never the folder's own index.ts.",
      {},
      { circular: true },
    ),
    forbid(
      "resolvable",
      "Nothing is found there, so no rule can judge it. Relative imports end in .ts; a package stands in " +
        "package.json and is installed (npm ci).",
      {},
      { couldNotResolve: true },
    ),
    ...shell,
    ...pointsLeft,
    ...coreSiblings,
    ...doors,
    ...contract,
    ...engine,
    ...outside,
  ]),
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^dist/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
export default configuration;
