/**
 * A command, what came of it, and what runs commands somewhere.
 */

/** A command, complete. */
export interface CommandRequest {
  readonly words: readonly string[];
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
}

/** What came of a command. */
export interface CommandResult {
  /** Null where it was killed, or could not be started. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isTimedOut: boolean;
  /** Why it could not be started: `ENOENT` … */
  readonly notStarted: string | null;
}

/** Runs commands somewhere. */
export type RunCommand = (request: CommandRequest) => Promise<CommandResult>;
