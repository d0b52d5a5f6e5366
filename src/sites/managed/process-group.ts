/**
 * Signals for a whole process group, which is named by the pid of its leader.
 *
 * The number of a group is not reused while one process is in it.
 */

/** Sends a signal to every process of the group; false if the group is empty. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leaderPid, signal);
    return true;
  } catch (error) {
    // EPERM: they are there, and belong to somebody else by now (a set-uid program).
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Sends TERM to the group, and CONT, since a stopped process does not receive TERM. */
export function terminateGroup(leaderPid: number): void {
  signalGroup(leaderPid, "SIGTERM");
  signalGroup(leaderPid, "SIGCONT");
}
