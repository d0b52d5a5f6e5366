/**
 * `npm test`: all unit tests, with fewer draws of the property tests; then whole programs, as many as show
 * that each part of the house stands, and one file on a real cluster, which mostly waits, beside them.
 * `npm test -- FILE…` runs these tests alone, whole. Everything is `npm run test:all`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "./house/build.mjs";
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
];
const ON_A_CLUSTER = "test/slurm-guide.test.ts";

const vitest = resolve(repositoryRoot, "node_modules/vitest/vitest.mjs");

/** Begins to run tests. */
function begin(words: readonly string[], stdio: "inherit" | "pipe", draws?: string) {
  const env = draws === undefined ? process.env : { STINT_PROPERTY_FACTOR: draws, ...process.env };
  return spawn(process.execPath, [vitest, "run", ...words], { cwd: repositoryRoot, stdio, env });
}

/** True if all tests passed; they say so as they go. */
async function passes(words: readonly string[], draws?: string): Promise<boolean> {
  const [code] = await once(begin(words, "inherit", draws), "exit");
  return code === 0;
}

/** True if all tests passed; what they say follows when it is asked for. */
function passesBeside(words: readonly string[], draws: string): () => Promise<boolean> {
  const tests = begin(words, "pipe", draws);
  const ended = once(tests, "exit");
  const said = [tests.stdout, tests.stderr].map((stream) => (stream === null ? "" : text(stream)));
  return async () => {
    for (const part of said) process.stdout.write(await part);
    return (await ended)[0] === 0;
  };
}

async function passesSelection(): Promise<boolean> {
  // Once for both, who would build it at the same time.
  await build();
  const onCluster = passesBeside(["--project", "cluster", ON_A_CLUSTER], FEW_DRAWS);
  const isPassed =
    (await passes(["--project", "unit"], FEW_DRAWS)) &&
    (await passes(["--project", "program", ...PROGRAMS], FEW_DRAWS));
  return (await onCluster()) && isPassed;
}

const asked = process.argv.slice(2);
if (!(asked.length > 0 ? await passes(asked) : await passesSelection())) process.exitCode = 1;
