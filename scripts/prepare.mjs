/**
 * Runs after `npm install` and `npm ci` in a clone, and before packing: makes dist/ there.
 *
 * Without the compiler (`npm ci --omit=dev`) a dist/ that is there is good enough; without that too, the
 * installation stands, and a sentence says what is missing.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

if (isInstalled("typescript/package.json")) {
  const { build } = await import("./house/build.mjs");
  if (!(await build({ declarations: true }))) process.exitCode = 1;
} else if (!existsSync(fileURLToPath(new URL("../dist", import.meta.url)))) {
  console.error(
    "stint: dist/ is not built, and the TypeScript compiler that builds it is not installed.\n" +
      "       Run `npm ci` with the development dependencies once, or copy a built dist/ here.",
  );
}

/** @param {string} name */
function isInstalled(name) {
  try {
    return createRequire(import.meta.url).resolve(name) !== "";
  } catch {
    return false;
  }
}
