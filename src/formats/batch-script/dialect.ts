/** A batch system, as its scripts show it. */
import type { JobDraft } from "../job-draft/index.ts";
import type { About, OptionRow } from "./option-table.ts";

/** Syntax of options after the mark. */
export type OptionStyle = "getopt" | "words" | "keyword";

/** A family of directives. */
export interface Dialect {
  /** Name of the batch system in messages. */
  readonly system: string;
  /** The mark, in messages. */
  readonly label: string;
  /** Marks at the beginning of a line, as a regular expression without flags. */
  readonly mark: RegExp;
  /** True if the batch system ignores directives after the first command. */
  readonly endsAtCommand: boolean;
  readonly style: OptionStyle;
  readonly rows: readonly OptionRow[];
  /** The option that names the job. */
  readonly nameOption: string;
  /** Attributes of every job of this batch system, unless a directive says something else. */
  readonly usual: (about: About) => Partial<ReturnType<JobDraft["said"]>>;
  /** Variables that its scripts find, by the size of the job. */
  readonly variables: (job: SizedJob, about: About) => Readonly<Record<string, string>>;
}

/** Facts about a job that variables contain. */
interface SizedJob {
  readonly name: string;
  readonly procs: number;
  readonly procsPerTask: number | undefined;
  readonly nodes: number | undefined;
}
