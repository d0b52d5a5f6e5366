/**
 * What of dist/ goes into the package: the bundle, the page, the client, and the modules of programs that run
 * beside the command line (threads, wrappers). The others are in the bundle already. Plain JavaScript, since
 * `npm install` runs it (prepare).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** Which files npm leaves out of a package is read from here, in each folder. */
export const IGNORED = ".npmignore";
const BUNDLE = "bundle";
/** Folders whose files are no modules of src/. */
const MADE = /^(?:api-page|bundle|web)$/;
const CLIENT = join("api", "client", "index.js");
/** Modules that programs beside the command line name and never load: the command line alone writes pages. */
const NEVER = /\/main\/verify-page\.js$/;
/** Place of a bundled module before it was bundled (bundle.mjs). */
const OWN_PLACE = /new URL\("[^"]+", import\.meta\.url\)\.href/g;
/** What loads other modules into the same program. */
const IMPORTS = /^(?:import|export)\b[^;]*?\bfrom\s*"[^"]+";?$|\bimport\("[^"]+"\)/gm;

/**
 * Writes which modules of `dist` are left out of a package.
 *
 * @param {string} dist
 * @param {readonly string[]} bundled names of the files of this build; those of earlier ones are left
 */
export function writeIgnored(dist, bundled) {
  const all = modulesIn(dist, "");
  const packed = reached(programs(dist, all));
  const earlier = readdirSync(join(dist, BUNDLE)).filter((name) => !bundled.includes(name));
  const left = [
    ...all.filter((path) => !packed.has(path)).map((path) => relative(dist, path)),
    ...earlier.map((name) => join(BUNDLE, name)),
  ];
  writeFileSync(join(dist, IGNORED), `${left.map((path) => `/${path.split(sep).join("/")}\n`).join("")}`);
}

/**
 * Modules that are started or imported from outside: what a module names beside itself without importing it.
 *
 * @param {string} dist @param {readonly string[]} all
 */
function programs(dist, all) {
  const beside = all.flatMap((path) => {
    const code = readFileSync(path, "utf8");
    return code.includes("import.meta.url") ? named(path, code.replace(IMPORTS, "")) : [];
  });
  const bundle = join(dist, BUNDLE);
  // What a bundled module finds beside its own place is among the texts of that module.
  const ofBundle = readdirSync(bundle).flatMap((name) =>
    named(join(bundle, name), readFileSync(join(bundle, name), "utf8").replaceAll(OWN_PLACE, "")),
  );
  return [join(dist, CLIENT), ...beside, ...ofBundle].filter((path) => all.includes(path));
}

/** @param {readonly string[]} first */
function reached(first) {
  /** @type {Set<string>} */
  const found = new Set();
  const open = [...first];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...named(path, readFileSync(path, "utf8")));
  }
  return found;
}

/**
 * Modules that a module's texts name.
 *
 * @param {string} path @param {string} code
 */
function named(path, code) {
  return [...code.matchAll(/"((?:\.{1,2}\/)?[\w./-]+\.js)"/g)]
    .map(([, name = ""]) => resolve(dirname(path), name))
    .filter((it) => existsSync(it) && !NEVER.test(it));
}

/**
 * @param {string} dist
 * @param {string} folder
 * @returns {string[]}
 */
function modulesIn(dist, folder) {
  return readdirSync(join(dist, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return MADE.test(path) ? [] : modulesIn(dist, path);
    return path.endsWith(".js") ? [join(dist, path)] : [];
  });
}
