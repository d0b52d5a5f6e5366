/**
 * The ordinary users of the test clusters, on this machine: made only when asked for, told by their comment
 * in the user table, and removed with the last test cluster of the machine.
 */
import { testUsers } from "./accounting.ts";
import { mustRun, run } from "./run.ts";

/** In the user table, so that we remove nobody whom we did not make. */
const COMMENT = "Stint test clusters";

/** Which of the test users are there, and which of these we made. */
export interface UsersThere {
  readonly all: readonly string[];
  readonly ours: readonly string[];
}

/** Looks into the machine's user table. */
export function usersThere(): UsersThere {
  const { out } = run(["getent", "passwd", ...testUsers.map(({ name }) => name)]);
  const entries = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(":"));
  return {
    all: entries.map(([name = ""]) => name),
    ours: entries.filter((entry) => entry[4] === COMMENT).map(([name = ""]) => name),
  };
}

/**
 * Makes those test users that are missing, with a home directory and without a password.
 *
 * @returns the names of those that were made
 * @throws Fault (failed)
 */
export function makeUsers(): string[] {
  const { all } = usersThere();
  const missing = testUsers.map(({ name }) => name).filter((name) => !all.includes(name));
  for (const name of missing) {
    mustRun(["useradd", "--create-home", "--user-group", "--shell=/bin/bash", `--comment=${COMMENT}`, name]);
  }
  return missing;
}

/**
 * Removes the test users that we made, with their home directories.
 *
 * @returns the names of those that were removed
 * @throws Fault (failed), where one still runs a program for instance
 */
export function removeUsers(): string[] {
  const { ours } = usersThere();
  for (const name of ours) mustRun(["userdel", "--remove", name]);
  return [...ours];
}
