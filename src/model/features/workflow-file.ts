/** Files of workflows: inputs from the user, files that tasks pass to each other, and results. */
import { isInnerPath } from "../sandbox-name.ts";

/** Location of a copy at a site: a path in the directory of a job. */
export interface FileCopy {
  readonly site: string;
  readonly job: string;
  /** Path in the directory of the job. */
  readonly path: string;
}

/** A file of a workflow as it is planned. Readers and writer are numbers of tasks. */
export interface PlannedFile {
  /** Unique in the workflow, and its path in the directories of tasks unless `path` says another. */
  readonly name: string;
  readonly path?: string;
  /** Task that writes the file; null for a file of the user. */
  readonly writer: number | null;
  /** True for a result, which the broker keeps for the user. */
  readonly isResult: boolean;
  /** Size; null until the file is written. The size of a user's file is known from the beginning. */
  readonly bytes: number | null;
  /** SHA-256, in hexadecimal digits. */
  readonly checksum: string | null;
}

/** A file of a workflow, with where it is now. */
export interface WorkflowFile extends PlannedFile {
  readonly workflow: string;
  /** Number of the file in its workflow, from 0. */
  readonly at: number;
  readonly readers: readonly number[];
  /** True where the broker has a copy. */
  readonly isStored: boolean;
  /** Largest size of the results that the broker stores of a workflow, if this one would exceed it. */
  readonly overLimitBytes?: number;
  readonly copies: readonly FileCopy[];
}

/** A file that an attempt of a task has written. */
export interface WrittenFile {
  readonly file: number;
  readonly task: number;
  readonly attempt: number;
  readonly bytes: number;
  readonly checksum: string;
}

/** An attempt that did not begin because one of its input files is missing or damaged. */
export interface MissingFile {
  readonly file: number;
  readonly task: number;
  readonly attempt: number;
}

/** Transfers and removals of files by the broker. Files are given by their numbers. */
export interface FileMoves {
  /** Files fetched from sites. */
  readonly stored: readonly { readonly file: number; readonly bytes: number; readonly checksum: string }[];
  /** Files sent into the directories of pilots; `pilot` is the number of the pilot. */
  readonly sent: readonly { readonly file: number; readonly pilot: number }[];
  /** Copies that can no longer be read, each with the job in whose directory it was. */
  readonly lost: readonly { readonly file: number; readonly job: string }[];
  /** Results that stay at their sites: with them, those at the broker would exceed `mostBytes`. */
  readonly tooLarge?: readonly { readonly file: number; readonly mostBytes: number }[];
  /** Files that were removed at all sites and, unless they are results or the user's, at the broker. */
  readonly removed: readonly number[];
}

/** Path of a file in the directories of tasks. */
export function pathInTask({ name, path = name }: Pick<PlannedFile, "name" | "path">): string {
  return path;
}

/** Name of a file in the directory of a pilot. */
export function pilotFile(at: number): string {
  return `file.${at}`;
}

/**
 * True for a path that a file can have in the directory of a task. Names are words in lists of a shell:
 * without control characters, and without blanks at their ends.
 */
export function isTaskPath(path: string): boolean {
  return isInnerPath(path) && !/\p{Cc}/u.test(path) && path.trim() === path && !path.startsWith("-");
}
