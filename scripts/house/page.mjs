/** Builds the page, web/ to dist/web/, where something of it has changed. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Sources of the page, and what else its build depends on. */
const SOURCES = ["web", "src/api/client", "src/base", "package-lock.json"];
/** Tables of operations in src/api. */
const OPERATIONS = /^(operation-shapes|operations|.*-operations)\.ts$/;

/** Returns whether the page is built. @param {string} root */
export async function buildPage(root) {
  const built = modifiedAt(join(root, "dist/web/index.html"));
  if (built > Math.max(...sourcesIn(root).map((path) => newestIn(join(root, path))))) return true;
  const { build } = await import("vite");
  const { configuration } = await import("../../web/vite.config.mjs");
  await forUsers(() => build(configuration));
  compress(join(root, "dist/web/assets"));
  return true;
}

/**
 * With the page's libraries as users have them: tests run with NODE_ENV=test, for which React has checks for
 * developers that make it several times slower, and half as large again.
 *
 * @param {() => Promise<unknown>} work
 */
async function forUsers(work) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** @param {string} root */
function sourcesIn(root) {
  const tables = readdirSync(join(root, "src/api")).filter((name) => OPERATIONS.test(name));
  return [...SOURCES, ...tables.map((name) => `src/api/${name}`)];
}

/** Beside each text its compressed form: the broker then compresses nothing. @param {string} folder */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
  }
}

/** @param {string} path @returns {number} */
function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** @param {string} path */
function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
