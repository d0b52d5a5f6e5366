/**
 * Compiles src/ to dist/, then removes from dist/ what no longer has a source: a file that was renamed
 * would otherwise go on being importable. Plain JavaScript, since `npm install` runs it (prepare).
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildKernel } from "./kernel.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds, with the compiler's messages on stderr. Returns whether it went well. */
export function build() {
  if (!buildKernel(root)) return false;
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  removeOrphans("");
  return status === 0;
}

/** @param {string} folder relative to dist/ and src/ alike */
function removeOrphans(folder) {
  const built = join(root, "dist", folder);
  if (!existsSync(built)) return;
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOrphans(path);
    const source = entry.isDirectory() ? path : path.replace(/(\.d\.ts|\.js)$/, ".ts");
    if (!existsSync(join(root, "src", source))) rmSync(join(root, "dist", path), { recursive: true });
  }
}
