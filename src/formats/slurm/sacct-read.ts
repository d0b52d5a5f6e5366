/** Parses lines of sacct into runs of jobs, for files and for answers of a cluster. */
import { Fault } from "../../base/index.ts";
import type { InstantReader } from "./sacct-instants.ts";
import { type ReadRow, readHead } from "./sacct-rows.ts";
import { runOf, type SacctRun } from "./sacct-run.ts";

/** Options of reading rows. */
export interface ReadRules {
  /** For messages. */
  readonly file: string;
  /** Skip and count malformed rows instead of stopping at the first. */
  readonly lenient: boolean;
}

/** Runs in the order of the file, with counts. */
export interface ReadRuns {
  readonly runs: readonly SacctRun[];
  /** Rows, without the head, blank lines and comments. */
  readonly rows: number;
  readonly malformed: number;
  /** The messages of the first malformed rows that were skipped. */
  readonly malformedMessages: readonly string[];
}

const MESSAGES_KEPT = 5;

/**
 * Reads lines without their ends.
 *
 * @throws Fault `accountingFields`; unless lenient `accountingRow`, `accountingField`
 */
export function readRuns(
  text: Iterable<string>,
  { file, lenient }: ReadRules,
  instants: InstantReader,
): ReadRuns {
  let readRow: ReadRow | undefined;
  const runs: SacctRun[] = [];
  const malformedMessages: string[] = [];
  let line = 0;
  let rows = 0;
  let malformed = 0;
  for (const row of text) {
    line++;
    if (/^\s*(#|$)/.test(row)) continue;
    if (readRow === undefined) {
      readRow = readHead(file, row.replace(/^\uFEFF/, ""));
      continue;
    }
    rows++;
    try {
      runs.push(runOf(readRow(row, line), instants));
    } catch (error) {
      if (!lenient || !(error instanceof Fault)) throw error;
      malformed++;
      if (malformedMessages.length < MESSAGES_KEPT) malformedMessages.push(error.message);
    }
  }
  return { runs, rows, malformed, malformedMessages };
}
