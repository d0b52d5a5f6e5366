/**
 * Ordinary users of the test clusters on this machine: made on request, marked by their comment in the user
 * table, and removed with the last test cluster.
 */
import { testUsers } from "./accounting.ts";
import { commandFailed, mustRun, run, waitUntil } from "./run.ts";

/** Mark in the user table, so that only users of this script are removed. */
const COMMENT = "Stint test clusters";

/** Exit code of userdel if the user runs a program (userdel(8)). */
const IN_USE = 8;
const IN_USE_LIMIT_MS = 10_000;

/** Existing test users, and those that this script made. */
export interface UsersThere {
  readonly all: readonly string[];
  readonly ours: readonly string[];
}

/** Reads the machine's user table. */
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
 * Makes missing test users, with a home directory and without a password.
 *
 * @returns their names
 *
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
 * Removes the test users of this script, with their home directories.
 *
 * @returns their names
 *
 * @throws Fault (failed), for example if one still runs a program
 */
export async function removeUsers(): Promise<readonly string[]> {
  const { ours } = usersThere();
  for (const name of ours) await removeUser(name);
  return ours;
}

/** Removes a user; retries, since the last process of a job may outlive its cluster by a moment. */
async function removeUser(name: string): Promise<void> {
  const command = ["userdel", "--remove", name];
  let ran = run(command);
  await waitUntil(IN_USE_LIMIT_MS, () => {
    if (ran.code === IN_USE) ran = run(command);
    return ran.code !== IN_USE;
  });
  if (ran.code !== 0) throw commandFailed(command, ran);
}
