/**
 * The world around one call of the program: its streams, its terminal, its environment, its clock.
 *
 * Handed in, so that a test can stand in for the whole of it.
 */

/** Where results and progress go. */
export interface ProgressOutput {
  readonly writeResult: (text: string) => void;
  /** Whether progress may be shown: stderr is a terminal and nobody asked for silence. */
  readonly showsProgress: boolean;
}

/** Somebody wants the program to end: Ctrl-C, SIGTERM, or nobody reads its stdout any more. */
export type EndRequest = "interrupt" | "terminate" | "readerGone";

/** One of the two streams of a program. */
export type StreamName = "stdout" | "stderr";

/** The world around one call of the program. */
export interface Terminal extends ProgressOutput {
  readonly version: string;
  readonly writeError: (text: string) => void;
  /** Hands on bytes of another program unchanged; resolves when more may be written. */
  readonly writeBytes: (stream: StreamName, bytes: Uint8Array) => Promise<void>;
  /** How wide the terminal is that stdout goes to; undefined where it goes elsewhere. */
  readonly columns: number | undefined;
  /** The caller's environment and directory. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Unix time. */
  readonly nowMs: () => number;
  /**
   * Takes over requests to end, which otherwise end the process at once; gives what hands them back.
   * One listener at a time.
   */
  readonly onEndRequest: (listener: (request: EndRequest) => void) => () => void;
  /** Asks whoever sits at the terminal a question of yes or no; absent where nobody does. */
  readonly askPerson?: (question: string) => Promise<boolean>;
  /** Whether to print the stack of an error of our own. */
  readonly isDebugging: boolean;
}
