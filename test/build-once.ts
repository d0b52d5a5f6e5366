/**
 * Before the tests: dist/ is what src/ says. Tests that spawn the program spawn dist/, as users do.
 *
 * Builds when a source, or what steers the compiler, is newer than the last build; in watch mode again
 * before every rerun.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../scripts/house/build.mjs";
import { repositoryRoot } from "../scripts/house/finding.ts";
import { listFiles } from "../scripts/house/tree.ts";

/** The kernel of plain replays: what it is compiled from, and the module that holds it. */
const ASSEMBLY = "src/queue/kernel/assembly/";
const PROGRAM = "src/queue/kernel/program.ts";

/** vitest calls this once, before the first test. */
export default function setup(project: TestProject): void {
  buildIfStale();
  project.onTestsRerun(buildIfStale);
}

/** Type errors are told, and the tests run: the compiler writes the program that src/ says all the same. */
function buildIfStale(): void {
  if (isStale() && !build()) console.error("dist/ was built in spite of these errors; see `npm run types`.");
}

function isStale(): boolean {
  const all = listFiles(repositoryRoot, "src").filter((file) => /(?<!\.test)\.ts$/.test(file));
  const sources = all.filter((file) => !file.startsWith(ASSEMBLY));
  const builtAt = Math.min(...[...sources, PROGRAM].map((file) => modifiedAt(outputOf(file))));
  const steering = ["tsconfig.base.json", "tsconfig.build.json", "package-lock.json"];
  return [...all, ...steering].some((file) => modifiedAt(file) > builtAt);
}

function outputOf(source: string): string {
  return source.replace(/^src\//, "dist/").replace(/\.ts$/, ".js");
}

/** Milliseconds of Unix time; 0 when there is no such file. */
function modifiedAt(file: string): number {
  const path = join(repositoryRoot, file);
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
