/** Files that tasks of a workflow pass to each other, take from the user, or leave as results. */

/** Where a file is at a site: in the directory of a job. */
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
  /** Null: a file of the user. */
  readonly writer: number | null;
  /** True for a file that the broker keeps for the user. */
  readonly isResult: boolean;
  /** Known from the beginning of a file of the user, of others once they are written. */
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

/** An attempt that did not begin, since a file that it reads is not there or is damaged. */
export interface MissingFile {
  readonly file: number;
  readonly task: number;
  readonly attempt: number;
}

/** What the broker has done with files. Numbers are those of files. */
export interface FileMoves {
  /** Fetched from sites. */
  readonly stored: readonly { readonly file: number; readonly bytes: number; readonly checksum: string }[];
  /** Sent to the directories of pilots, which are named by their numbers. */
  readonly sent: readonly { readonly file: number; readonly pilot: number }[];
  /** Copies that can no longer be read, by their jobs. */
  readonly lost: readonly { readonly file: number; readonly job: string }[];
  /** No longer needed: removed at all sites and, unless they are results or the user's, at the broker. */
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
