/** Parts of a DAGMan file as they are read: nodes, splices and what is said of them. */
import type { Account } from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";

/** A line, with its offset in its file. */
export interface DagLine {
  readonly at: number;
  readonly written: string;
  readonly words: readonly string[];
}

/** A PRE or POST script. */
export interface NodeScript {
  readonly words: readonly string[];
  /** Exit code after which it is run again, and after how many seconds. */
  readonly defer?: { readonly exitCode: number; readonly sec: number };
}

/** A node that is being read. */
export interface NodeDraft {
  readonly name: string;
  readonly line: DagLine;
  /** Submit file, or the lines of an inline description. */
  readonly submit: { readonly file: string } | { readonly text: string };
  readonly folder: string;
  readonly parents: Set<string>;
  readonly variables: Map<string, string>;
  skip?: "noop" | "done";
  isFinal?: true;
  retries?: number;
  unlessExit?: number;
  abortOn?: { readonly exitCode: number; readonly result: number };
  priority?: number;
  category?: string;
  pre?: NodeScript;
  post?: NodeScript;
  preSkip?: number;
}

/** A spliced DAG: its nodes by which others follow it, and its pins. */
export interface Splice {
  readonly initial: readonly string[];
  readonly terminal: readonly string[];
  readonly pinsIn: ReadonlyMap<number, readonly string[]>;
  readonly pinsOut: ReadonlyMap<number, readonly string[]>;
}

/** State of the reading of one file, with those that it includes. */
export interface Course {
  readonly account: Account;
  readonly surroundings: JobSurroundings;
  /** Written before the names of nodes: `splice+`. */
  readonly prefix: string;
  /** Files that are being read, the outermost first. */
  readonly open: readonly string[];
  readonly nodes: Map<string, NodeDraft>;
  readonly splices: Map<string, Splice>;
  readonly descriptions: Map<string, string>;
  readonly limits: Map<string, number>;
  /** Statements about nodes, which may stand before them. */
  readonly later: (() => void)[];
  readonly pinsIn: Map<number, string[]>;
  readonly pinsOut: Map<number, string[]>;
  /** Offset of the line that says that one node follows another, by `BEFORE\nAFTER`. */
  readonly edges: Map<string, DagLine>;
}
