/**
 * Signals for a whole process group, which is named by the pid of the process that began it.
 *
 * A group's number is not given to anybody else as long as one process is in it.
 */

/** Sends a signal to every process of the group; false when there is none left. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leaderPid, signal);
    return true;
  } catch (error) {
    // EPERM: they are there, and belong to somebody else by now (a set-uid program).
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Asks the group to end. A stopped process would not hear TERM, so it is continued as well. */
export function terminateGroup(leaderPid: number): void {
  signalGroup(leaderPid, "SIGTERM");
  signalGroup(leaderPid, "SIGCONT");
}
