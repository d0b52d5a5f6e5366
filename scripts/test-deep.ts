/**
 * `npm run test:deep`: property tests with many draws of a new seed, and hours of killed brokers. For a
 * night before a release; each part prints how to repeat a failure.
 */
import { spawnSync } from "node:child_process";
import { repositoryRoot } from "./house/finding.ts";

const DRAWS = "20";
const KILLS = "2000";
const STREAMS = "200";

const parts = [
  {
    words: ["run", "--silent", "test:all", "--", "propert"],
    env: { STINT_PROPERTY_FACTOR: DRAWS, STINT_PROPERTY_SEED: "random" },
  },
  {
    words: ["run", "--silent", "test:all", "--", "store-kill", "test/command-lines"],
    env: { STINT_PROPERTY_FACTOR: DRAWS, STINT_PROPERTY_SEED: "random" },
  },
  { words: ["run", "--silent", "torture", "--", "--kills", KILLS, "--seed", "1"], env: {} },
  { words: ["run", "--silent", "torture", "--", "--streams", STREAMS], env: {} },
];

for (const { words, env } of parts) {
  const { status } = spawnSync("npm", words, {
    cwd: repositoryRoot,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exitCode = 1;
}
