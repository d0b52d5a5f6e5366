/**
 * `npm test`: all unit tests, with fewer draws of the property tests; then whole programs, as many as show
 * that each part of the house stands, and one file on a real cluster, which mostly waits, beside them.
 * `npm test -- FILE…` runs these tests alone, whole. Everything is `npm run test:all`.
 */
import { build } from "./house/build.mjs";
import { passes, runAside } from "./house/vitest.ts";

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
];
const ON_A_CLUSTER = "test/slurm-guide.test.ts";

async function passesSelection(): Promise<boolean> {
  // Once for both, who would build it at the same time.
  await build();
  const onCluster = runAside(["--project", "cluster", ON_A_CLUSTER], FEW_DRAWS);
  const isPassed =
    (await passes(["--project", "unit"], FEW_DRAWS)) &&
    (await passes(["--project", "program", ...PROGRAMS], FEW_DRAWS));
  const { isPassed: isPassedOnCluster, output } = await onCluster;
  process.stdout.write(output);
  return isPassedOnCluster && isPassed;
}

const asked = process.argv.slice(2);
if (!(asked.length > 0 ? await passes(asked) : await passesSelection())) process.exitCode = 1;
