/**
 * Files of a job's terminal, below its directory: what is typed, sizes, and the last of what was written.
 *
 * `input` and `sizes` grow at their ends, `sizes` by a line `ROWS COLUMNS`. What the program writes is in
 * `screen.N`, where N is the place of its first byte in all of it; the next begins where one ends, once that
 * has `CHUNK_BYTES`. `range` has the places of the oldest and of the newest.
 */

/** Folder of these files in the job's directory. */
export const TERMINAL_FOLDER = ".stint-terminal";

/** Size from which on a file is full. */
export const CHUNK_BYTES = 1024 * 1024;

/** Files that are kept at a time. */
export const CHUNKS_KEPT = 4;

/** Maximum total input of a job's terminal. */
export const MOST_INPUT_BYTES = 64 * 1024 * 1024;

/** Paths of the files in the job's directory. */
export const TERMINAL_FILES = {
  input: `${TERMINAL_FOLDER}/input`,
  sizes: `${TERMINAL_FOLDER}/sizes`,
  range: `${TERMINAL_FOLDER}/range`,
  screen: (from: number) => `${TERMINAL_FOLDER}/screen.${from}`,
} as const;
