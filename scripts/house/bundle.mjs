/**
 * Puts the compiled command line into a few files, dist/bundle: reading dozens of small modules takes longer
 * than `stint --help` itself. What starts every command is one file, what most commands need another, the
 * rest stays with whoever loads it. Workers and wrappers, which are programs of their own, stay modules.
 * Plain JavaScript, since `npm install` runs it (prepare).
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { copyApiPage, filesOfApiPage } from "./api-page.mjs";
import { licencesOf } from "./licences.mjs";
import { writeIgnored } from "./packed.mjs";

/** What is large, seldom needed, and one file already. */
const OF_ITS_OWN = /\/chart-library\.js$/;
/** Part of the commands that a module must be needed by to be among what most need. */
const MOST = 1 / 5;
/** What commands that show jobs share; each alone is too small for a file. */
const JOB_LISTS = /\/cli\/(?:array-table|job-(?:filter|listing|overview|pages|table))\.js$/;
const LICENCES = "LICENSES";
/** How long the files of earlier builds are kept, since a broker that runs may still load them. */
const KEPT_MS = 24 * 3_600_000;
/**
 * Libraries that stay where they are installed, since a binary lies beside their code. The others are
 * bundled: to find and read their files would be a quarter of a broker's start.
 */
const BESIDE = /^better-sqlite3(?:\/|$)/;

/**
 * Bundles `dist/main/cli.js` into `dist/bundle/cli.js` and the files that it loads.
 *
 * @param {string} dist
 */
export async function bundle(dist) {
  const entry = join(dist, "main", "cli.js");
  const commands = join(dist, "cli") + sep;
  /** @type {Set<string>} */
  let ofAll = new Set();
  /** @type {Set<string>} */
  let ofMost = new Set();
  const bundled = await rolldown({
    input: { cli: entry },
    platform: "node",
    // Modules are named in comments, from here, for whoever follows a stack trace.
    cwd: join(dist, ".."),
    experimental: { attachDebugInfo: "simple" },
    external: (id) => OF_ITS_OWN.test(id) || id.startsWith("node:") || BESIDE.test(id),
    plugins: [
      {
        name: "who-needs-what",
        buildEnd() {
          ofAll = neededBy(entry, this);
          const lazily = [...ofAll].flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? []);
          const needs = [...new Set(lazily)]
            .filter((id) => id.startsWith(commands))
            .map((id) => neededBy(id, this));
          const candidates = new Set(needs.flatMap((needed) => [...needed]));
          const isOfMost = (/** @type {string} */ id) =>
            needs.filter((needed) => needed.has(id)).length > needs.length * MOST;
          ofMost = new Set([...candidates].filter(isOfMost));
        },
      },
      filesOfApiPage,
      { name: "own-place", transform: (code, id) => withOwnPlace(code, relative(dist, id)) },
    ],
  });
  const { output } = await bundled.generate({
    format: "esm",
    codeSplitting: {
      groups: [
        { name: "start", test: (id) => ofAll.has(id), priority: 2 },
        { name: "common", test: (id) => ofMost.has(id), priority: 1 },
        { name: "job-lists", test: JOB_LISTS, priority: 0 },
      ],
    },
  });
  await bundled.close();
  const folder = join(dist, "bundle");
  removeOld(folder);
  const files = output.flatMap((it) => (it.type === "chunk" ? [it] : []));
  writeFileSync(join(folder, LICENCES), licencesOf(files.flatMap(({ moduleIds }) => moduleIds)));
  copyApiPage(dist);
  // The entry last: until then the program is the earlier one.
  for (const it of files.sort((one, other) => Number(one.isEntry) - Number(other.isEntry))) {
    writeFileSync(join(folder, `${it.fileName}.part`), it.code);
    renameSync(join(folder, `${it.fileName}.part`), join(folder, it.fileName));
  }
  writeIgnored(dist, [...files.map(({ fileName }) => fileName), LICENCES]);
}

/**
 * The modules that are loaded before the one of this id runs, itself among them.
 *
 * @param {string} id
 * @param {import("rolldown").PluginContext} context
 */
function neededBy(id, context) {
  /** @type {Set<string>} */
  const needed = new Set();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const module = context.getModuleInfo(next);
    if (needed.has(next) || module === null || next.startsWith("node:")) continue;
    needed.add(next);
    open.push(...module.importedIds);
  }
  return needed;
}

/**
 * A module looks for files beside itself where it was before it was bundled.
 *
 * @param {string} code
 * @param {string} path of the module below dist/
 */
function withOwnPlace(code, path) {
  if (path.startsWith("..") || !code.includes("import.meta.url")) return null;
  const place = JSON.stringify(`../${path.split(sep).join("/")}`);
  return { code: code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`), map: null };
}

/** @param {string} folder */
function removeOld(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS && name !== "cli.js" && name !== LICENCES) rmSync(path);
  }
}
