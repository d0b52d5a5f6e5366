/**
 * Findings of a checker and their output: place, violation, remedy.
 *
 * Every checker of the house is a function from a root folder to findings, so that a test can plant
 * violations in a copy; the commands in scripts/ only print and set the exit code.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One violation. `file` is relative to the root, line and column count from 1. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly what: string;
  readonly remedy: string;
}

/** Result of one checker. */
export interface Report {
  /** Number of judged files: a checker that judged none has not passed. */
  readonly seen: number;
  readonly findings: readonly Finding[];
}

/** A finding in two lines: the place, in the form that editors open, then the remedy. */
function formatFinding({ file, line, column, rule, what, remedy }: Finding): string {
  return `${file}:${line}:${column} [${rule}] ${what}\n    instead: ${remedy}`;
}

/** Runs a checker on this repository: prints its findings, exits 1 on any. */
export async function tell(
  name: string,
  thing: string,
  check: (root: string) => Report | Promise<Report>,
): Promise<void> {
  const { seen, findings } = await check(repositoryRoot);
  for (const finding of findings) console.error(formatFinding(finding));
  const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  console.log(`${name}: ${seen} ${thing}, ${findings.length === 0 ? "nothing found" : count}`);
  if (findings.length > 0) process.exitCode = 1;
}

/** The folder of package.json. */
export const repositoryRoot = realpathSync(fileURLToPath(new URL("../..", import.meta.url)));
