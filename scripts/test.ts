/**
 * `npm test`: all unit tests, with fewer draws of the property tests; then whole programs, as many as show
 * that each part of the house stands, and one file on a real cluster. `npm test -- FILE…` runs these tests
 * alone, whole. Everything is `npm run test:all`.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { repositoryRoot } from "./house/finding.ts";

/** Part of a property test's cases, most of which have some hundreds. */
const FEW_DRAWS = "0.1";

/** Beginnings of paths. */
const PROGRAMS = [
  "test/check.test.ts",
  "test/cli.test.ts",
  "test/conformance/logbook-log.test.ts",
  "test/guides/readme.test.ts",
  "test/guides/run-jobs.test.ts",
  "test/house/",
  "test/live.test.ts",
  "test/parity.test.ts",
  "test/pins/listings.test.ts",
  "test/pins/logbook.test.ts",
  "test/plain/",
  "test/plain-pricing.test.ts",
  "test/policy.test.ts",
  "test/slurm-guide.test.ts",
];

const vitest = resolve(repositoryRoot, "node_modules/vitest/vitest.mjs");

/** True if all tests passed. */
function passes(words: readonly string[], draws?: string): boolean {
  const env = draws === undefined ? process.env : { STINT_PROPERTY_FACTOR: draws, ...process.env };
  const { status } = spawnSync(process.execPath, [vitest, "run", ...words], {
    cwd: repositoryRoot,
    stdio: "inherit",
    env,
  });
  return status === 0;
}

const asked = process.argv.slice(2);
const isPassed =
  asked.length > 0
    ? passes(asked)
    : passes(["--project", "unit"], FEW_DRAWS) &&
      passes(["--project", "program", "--project", "cluster", ...PROGRAMS], FEW_DRAWS);
if (!isPassed) process.exitCode = 1;
