/**
 * What the program says to command lines with values of the wrong kind, size or place: an error names what
 * happened, why, and what to do, and never ends in a stack trace.
 */
import { spawn } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLines } from "./command-lines.ts";
import { draws } from "./draws.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
/** Documented exit codes; `stint run` ends with the code of its program, or 125. */
const CODES = new Set([0, 1, 2, 3, 4, 5, 69, 125]);
const PATIENCE_MS = 300_000;

describe("any command line", () => {
  let broker: LiveBroker;
  beforeAll(async () => {
    symlinkSync(resolve(import.meta.dirname, "../examples"), join(folder, "examples"));
    broker = await startLiveBroker(join(folder, "state"));
  });
  afterAll(() => broker.end("SIGTERM"));

  it("is carried out, or refused with what, why and what to do", { timeout: 20 * PATIENCE_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(commandLines, async (words) => {
        const { code, signal, out, err } = await run(words, broker.environment);
        expect(signal, `${JSON.stringify(words)} takes too long`).toBe(null);
        expect(CODES.has(code ?? -1) || words[0] === "run", `exit code ${code}`).toBe(true);
        const text = `${out}\n${err}`;
        expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
        expect(err).not.toMatch(/\bundefined\b|\[object |TypeError|RangeError|internal error/);
        if (code !== 0 && words[0] !== "run")
          expect(err).toMatch(/^stint: [\s\S]+\n {2}why: .+\n {2}do: {2}.+/m);
        expect(existsSync(join(folder, "pwned"))).toBe(false);
      }),
      draws(24),
    );
    expect(broker.isUp()).toBe(true);
  });
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

function run(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [stintFile, ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (bytes) => {
    out += bytes;
  });
  child.stderr.on("data", (bytes) => {
    err += bytes;
  });
  return new Promise((done) => {
    child.on("close", (code, signal) => done({ code, signal, out, err }));
  });
}
