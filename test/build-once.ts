/**
 * Before the tests: dist/ is what src/ says. Tests that spawn the program spawn dist/, as users do.
 *
 * Translates what is newer than what it became; in watch mode again before every rerun.
 */
import type { TestProject } from "vitest/node";
import { build } from "../scripts/house/build.mjs";

/** vitest calls this once, before the first test. */
export default async function setup(project: TestProject): Promise<void> {
  await buildWhatChanged();
  project.onTestsRerun(buildWhatChanged);
}

/** Errors are told, and the tests run: the program is written as far as it could be read. */
async function buildWhatChanged(): Promise<void> {
  if (!(await build())) console.error("dist/ was built in spite of these errors; see `npm run types`.");
}
