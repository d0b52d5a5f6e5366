/**
 * The names of accounts that the accounting database knows, and those that some cluster has: `sacctmgr show`.
 *
 * A name stays known when the last cluster has lost it.
 */

/** The command that asks for every account's name. */
export const ACCOUNTS_COMMAND: readonly string[] = ["sacctmgr", "-nP", "show", "account", "format=Account"];

/** The command that asks for the accounts of all clusters, a name for each of its users. */
export const USED_ACCOUNTS_COMMAND: readonly string[] = [
  "sacctmgr",
  "-nP",
  "show",
  "assoc",
  "format=Account",
];

/** Reads what either of them printed. */
export function readAccountNames(text: string): readonly string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((name) => name !== "");
}
