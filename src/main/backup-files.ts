/** Names of the parts of a backup, common to its writer and its reader. */

/** First file of a backup, by which it is known. */
export const ABOUT = "backup.json";
/** Folder with what the state directory had. */
export const STATE = "state";
/** Last file: the SHA-256 of each other one, as sha256sum -c reads them. */
export const SUMS = "SHA256SUMS";
/** Version of the layout. */
export const FORMAT = 1;
/** Name in a state directory that is not restored completely; a broker does not start on it. */
export const UNFINISHED = "restore.unfinished";

/** Content of {@link ABOUT}. */
export interface AboutBackup {
  readonly stintBackup: number;
  /** Version of the program that made it. */
  readonly stint: string;
  readonly createdAt: string;
  readonly host: string;
  readonly stateDirectory: string;
  /** Last event of the log in it. */
  readonly head: { readonly seq: number; readonly hash: string };
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

/** Line about a file in {@link SUMS}; sha256sum escapes a backslash and a line's end in names. */
export function sumLine(hash: string, path: string): string {
  const escaped = path.replace(/[\\\n\r]/g, (it) => ESCAPES[it] ?? it);
  return escaped === path ? `${hash}  ${path}` : `\\${hash}  ${escaped}`;
}
