/** A command, its result, and the type of functions that run commands. */

/** A complete command. */
export interface CommandRequest {
  readonly words: readonly string[];
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
}

/** Result of a command. */
export interface CommandResult {
  /** Exit code; null if the command was killed or could not be started. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isTimedOut: boolean;
  /** Error code if it could not be started: `ENOENT` … */
  readonly notStarted: string | null;
}

/** Runs commands on this machine or another. */
export type RunCommand = (request: CommandRequest) => Promise<CommandResult>;
