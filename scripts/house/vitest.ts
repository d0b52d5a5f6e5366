/** Runs of vitest beside each other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { repositoryRoot } from "./finding.ts";

const vitest = resolve(repositoryRoot, "node_modules/vitest/vitest.mjs");

/** Begins to run tests. */
function begin(words: readonly string[], stdio: "inherit" | "pipe", draws?: string) {
  const env = draws === undefined ? process.env : { STINT_PROPERTY_FACTOR: draws, ...process.env };
  return spawn(process.execPath, [vitest, "run", ...words], { cwd: repositoryRoot, stdio, env });
}

/** True if all tests passed; they print as they go. `draws`: part of each property test's cases. */
export async function passes(words: readonly string[], draws?: string): Promise<boolean> {
  const [code] = await once(begin(words, "inherit", draws), "exit");
  return code === 0;
}

/** What tests printed, and whether all passed. */
export interface Ran {
  readonly isPassed: boolean;
  readonly output: string;
}

/** Runs tests whose output is printed later, so that it does not mix with that of others. */
export async function runAside(words: readonly string[], draws?: string): Promise<Ran> {
  const tests = begin(words, "pipe", draws);
  const printed = [tests.stdout, tests.stderr].map((stream) => (stream === null ? "" : text(stream)));
  const [code] = await once(tests, "exit");
  return { isPassed: code === 0, output: (await Promise.all(printed)).join("") };
}
