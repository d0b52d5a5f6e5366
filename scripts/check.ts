/**
 * `npm run check`: all checks that a change has to pass, quick ones first. Stops at the first failure and
 * prints what ran and how long it took.
 */
import { spawnSync } from "node:child_process";
import { repositoryRoot } from "./house/finding.ts";

/** The npm scripts in order, with advice after a failure. */
const steps = [
  { script: "lint", when: "`npm run format` writes the format; the rest of the findings is for hands." },
  { script: "types", when: "The first error is usually the cause of the others." },
  { script: "layers", when: "Every finding says what to do instead." },
  { script: "lint:core", when: "Every finding says what to do instead." },
  { script: "tidy", when: "Every finding says what to do instead." },
  { script: "unused", when: "What nothing uses goes; what only its own file uses is not exported." },
  { script: "test", when: "`npm run dev` runs the tests of what you change, on every save." },
];

const done: string[] = [];
for (const { script, when } of steps) {
  console.log(`\n== ${script}`);
  const startMs = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", script], { cwd: repositoryRoot, stdio: "inherit" });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  done.push(`${status === 0 ? "passed" : "FAILED"}  ${script} (${seconds} s)`);
  if (status !== 0) {
    done.push(`        ${when}`);
    process.exitCode = 1;
    break;
  }
}
const notRun = steps.slice(done.filter((line) => /^(passed|FAILED)/.test(line)).length);
done.push(...notRun.map(({ script }) => `not run ${script}`));
console.log(`\n${done.join("\n")}`);
