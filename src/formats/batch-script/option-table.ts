/** Tables of directives: a row per option, with what it becomes. */
import type { Outcome } from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";

/** Context of a row, besides the value. */
export interface About {
  readonly surroundings: JobSurroundings;
  /** Directory from which the script is submitted, absolute. */
  readonly submitDirectory: string;
  /** Name of the job: given, or that of the script. */
  readonly jobName: string;
  /** All options of the script by their first name; the last of each counts. */
  readonly given: ReadonlyMap<string, string>;
}

/** One option of a batch system. */
export interface OptionRow {
  /** Every spelling; the first names it. */
  readonly names: readonly string[];
  /** How many words follow it; `maybe`: a value only after `=`. */
  readonly takes: 0 | 1 | 2 | "maybe";
  readonly read: (value: string, about: About) => Outcome | readonly Outcome[];
}

/** An option that takes a value. */
export function option(names: string, read: OptionRow["read"]): OptionRow {
  return { names: names.split(" "), takes: 1, read };
}

/** An option without a value. */
export function flag(names: string, outcome: Outcome): OptionRow {
  return { names: names.split(" "), takes: 0, read: () => outcome };
}

/** Several options of the same outcome, whatever their value; `|` separates options, a blank spellings. */
export function all(names: string, takes: OptionRow["takes"], outcome: Outcome): readonly OptionRow[] {
  return names.split("|").map((one) => ({ names: one.trim().split(" "), takes, read: () => outcome }));
}

/** Rows by each of their spellings. */
export function byName(rows: readonly OptionRow[]): ReadonlyMap<string, OptionRow> {
  return new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)));
}
