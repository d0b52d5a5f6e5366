/**
 * Translates src/ to dist/: each file by itself (those of with-packages.mjs with their packages), and only
 * those newer than what they became, so that building again takes no time, and bundles the command line.
 * Types are checked by `npm run types`, not here; those of the client are written for programs that import
 * it. Removes from dist/ what no longer has a source: a file that was renamed would otherwise go on being
 * importable. Plain JavaScript, since `npm install` runs it (prepare).
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { API_PAGE } from "./api-page.mjs";
import { buildKernel } from "./kernel.mjs";
import { IGNORED } from "./packed.mjs";
import { buildPage } from "./page.mjs";
import { textWithPackages, withPackages } from "./with-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files that control the translation: a translated file older than one of them is stale. */
const STEERING = [
  "tsconfig.base.json",
  "tsconfig.build.json",
  "package-lock.json",
  "scripts/house/build.mjs",
  "scripts/house/api-page.mjs",
  "scripts/house/bundle.mjs",
  "scripts/house/packed.mjs",
  "scripts/house/with-packages.mjs",
];
const BUNDLE = "bundle";
/** What has no counterpart in src/: the bundle, the built page, the page of the API, the list for npm. */
const MADE = [BUNDLE, "web", API_PAGE, IGNORED];
/** Sources that the kernel's own compiler compiles. */
const ASSEMBLY = join("queue", "kernel", "assembly");

/** Module whose exports other programs import, and the folders that its types come from; below src/. */
const CLIENT = join("api", "client", "index.ts");
const OF_CLIENT = ["api", "base", "contract", "engine", "model", "predict"];

/**
 * Builds, with the compiler's messages on stderr. Returns true on success.
 *
 * @param options `declarations`: also those of the client, which take seconds and which nothing here reads
 */
export async function build({ declarations = false } = {}) {
  if (!buildKernel(root)) return false;
  removeOrphans("");
  const stale = staleSources();
  const isTranslated = stale.length === 0 || (await translate(stale));
  if (isBundleStale()) {
    const { bundle } = await import("./bundle.mjs");
    await bundle(join(root, "dist"));
  }
  if (declarations && areDeclarationsStale()) {
    const { declarationsOf } = await import("./declarations.mjs");
    writeWhole(declarationsFile, declarationsOf(root, CLIENT));
  }
  return isTranslated && (await buildPage(root));
}

/** Returns whether it went well. @param {readonly string[]} stale files below src/ */
async function translate(stale) {
  // Loaded only now: the compiler takes longer to load than everything else here.
  const { default: ts } = await import("typescript");
  const compilerOptions = translationOptions(ts);
  let isGood = true;
  for (const file of stale) {
    if (withPackages.includes(file)) {
      const text = await textWithPackages(root, file);
      if (text === undefined) isGood = false;
      else writeWhole(outputOf(file), text);
      continue;
    }
    const text = readFileSync(join(root, "src", file), "utf8");
    const { outputText, diagnostics = [] } = ts.transpileModule(text, {
      compilerOptions,
      fileName: join("src", file),
      reportDiagnostics: true,
    });
    for (const { messageText, start = 0 } of diagnostics) {
      isGood = false;
      const line = text.slice(0, start).split("\n").length;
      console.error(`src/${file}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
    }
    writeWhole(outputOf(file), outputText);
  }
  return isGood;
}

/**
 * Whole or not at all: a build that is killed leaves nothing that looks newer than its source.
 *
 * @param {string} output @param {string} text
 */
function writeWhole(output, text) {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(`${output}.part`, text);
  renameSync(`${output}.part`, output);
}

/** Files below src/ whose translation is missing or older than they are, or than what steers it. */
function staleSources() {
  const steeredAt = Math.max(...STEERING.map((file) => modifiedAt(join(root, file))));
  return sourcesIn("").filter((file) => {
    const madeAt = modifiedAt(outputOf(file));
    return madeAt < steeredAt || madeAt < modifiedAt(join(root, "src", file));
  });
}

function isBundleStale() {
  const translatedAt = Math.max(...sourcesIn("").map((file) => modifiedAt(outputOf(file))));
  return modifiedAt(join(root, "dist", BUNDLE, "cli.js")) < translatedAt;
}

const declarationsFile = join(root, "dist", CLIENT.replace(/\.ts$/, ".d.ts"));

function areDeclarationsStale() {
  const sources = OF_CLIENT.flatMap(sourcesIn).map((file) => join(root, "src", file));
  const newest = Math.max(...[...sources, join(root, "scripts/house/declarations.mjs")].map(modifiedAt));
  return modifiedAt(declarationsFile) < newest;
}

/** @param {string} folder relative to src/ @returns {string[]} */
function sourcesIn(folder) {
  if (folder === ASSEMBLY) return [];
  return readdirSync(join(root, "src", folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return /(?<!\.test)\.ts$/.test(path) ? [path] : [];
  });
}

/** The options of tsconfig.build.json for one file alone. @param {typeof import("typescript")} ts */
function translationOptions(ts) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // A single file is translated without looking for the package.json that says it is a module.
  const module = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const { rootDir: _, outDir: __, ...rest } = options;
  return { ...rest, ...module };
}

/** @param {string} file below src/ */
function outputOf(file) {
  return join(root, "dist", file.replace(/\.ts$/, ".js"));
}

/** Milliseconds of Unix time; 0 when there is no such file. @param {string} path */
function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} folder relative to dist/ and src/ alike */
function removeOrphans(folder) {
  const built = join(root, "dist", folder);
  if (!existsSync(built)) return;
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (MADE.includes(path)) continue;
    if (entry.isDirectory()) removeOrphans(path);
    const source = entry.isDirectory() ? path : path.replace(/(\.d\.ts|\.js)$/, ".ts");
    if (!existsSync(join(root, "src", source))) rmSync(join(root, "dist", path), { recursive: true });
  }
}
