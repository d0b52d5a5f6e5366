/**
 * Runs the compiled command line as people do: a process with arguments, two streams and an exit code.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";

/** The program as npm links it. */
export const stintFile = resolve(import.meta.dirname, "../bin/stint.js");

/** What a run of the program left. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `stint` with these words in `cwd`, and with `input` on its standard input. */
export function stint(
  words: readonly string[],
  cwd = process.cwd(),
  environment: Readonly<Record<string, string>> = {},
  input: string | Uint8Array = "",
): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [stintFile, ...words], {
    cwd,
    encoding: "utf8",
    input,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    maxBuffer: 1 << 28,
  });
  return { code: status, out: stdout, err: stderr };
}

/** A folder of its own for the tests of one file, removed when they are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stint-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
