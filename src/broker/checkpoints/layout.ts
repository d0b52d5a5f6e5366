/** Where the states of a job are in its directory, and their bounds. */

/** States that the job saved, each in a folder of its number. */
export const STATES_FOLDER = ".stint-ckpt";
/** Names the states that are whole, oldest first: number, name, Unix seconds, files, bytes. */
export const INDEX = "index";
/** Names the files of a state, as cksum prints them: checksum, bytes, path. */
export const MANIFEST = "manifest";
/** The state with which the job begins: `name`, and its files in `files`. */
export const GIVEN_FOLDER = ".stint-restart";
/** Number of states that a job keeps if it does not say how many. */
export const USUALLY_KEPT = 3;
/** Most bytes of one state. */
export const MOST_BYTES = 1024 ** 3;
/** Most files of one state. */
export const MOST_FILES = 1000;
/** File of the completed steps of a sub-job, one a line: number, exit code and name, separated by tabs. */
export const STEPS_FILE = ".stint-steps";
/** Directory in which a step of a sub-job leaves files for the next step and for the post-job. */
export const STATE_DIRECTORY = ".stint-state";
/** Name of the state that combines the states of all sub-jobs. */
export const PARTS_STATE = "parts";
