/**
 * The environment of one call of the program: its streams, terminal, variables and clock. Passed in, so that
 * a test can replace all of it.
 */

import type { Keyboard } from "./keyboard.ts";

/** Stream for results or progress. */
export interface ProgressOutput {
  readonly writeResult: (text: string) => void;
  /** True where progress may be shown: stderr is a terminal, and no option disables it. */
  readonly showsProgress: boolean;
}

/** Requests to stop the program: Ctrl-C, SIGTERM, or a closed stdout. */
export type EndRequest = "interrupt" | "terminate" | "readerGone";

/** One of the two streams of a program. */
export type StreamName = "stdout" | "stderr";

/** The environment of one call of the program. */
export interface Terminal extends ProgressOutput {
  readonly version: string;
  readonly writeError: (text: string) => void;
  /** Passes on bytes of another program unchanged; resolves when more may be written. */
  readonly writeBytes: (stream: StreamName, bytes: Uint8Array) => Promise<void>;
  /** Width of the terminal of stdout; undefined where stdout is not one. */
  readonly columns: number | undefined;
  /** Environment variables and directory of the caller. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Unix time. */
  readonly nowMs: () => number;
  /**
   * Handles stop requests, which otherwise end the process at once. One listener at a time. @returns a
   * function that ends the handling
   */
  readonly onEndRequest: (listener: (request: EndRequest) => void) => () => void;
  /** Asks the user a yes-or-no question; absent where there is no terminal to ask at. */
  readonly askPerson?: (question: string) => Promise<boolean>;
  /** Standard input, as it is piped in. */
  readonly standardInput: () => AsyncIterable<Uint8Array>;
  /** Standard input, key by key, loaded when it is used. */
  readonly keyboard: () => Promise<Keyboard>;
  /** Prints the stack of internal errors. */
  readonly isDebugging: boolean;
}
