/** Kinds of words that completion asks a running broker for, by a command that help does not list. */

export const WORD_KINDS = ["jobs", "activeJobs", "waitingJobs", "sites", "reservations", "tokens"] as const;

/** A kind of words that a broker knows. */
export type WordKind = (typeof WORD_KINDS)[number];

/** The command: `stint __words jobs`. */
export const WORDS_COMMAND = "__words";
