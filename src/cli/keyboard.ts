/** The keys of the user's own terminal, and the words by which they leave a job's. */

/** Size of a terminal. */
interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** Standard input, key by key. */
export interface Keyboard {
  /** True where both stdin and stdout are a terminal; otherwise stdin is a file or a pipe. */
  readonly isTerminal: boolean;
  /** Size of the terminal; undefined where there is none, or it has none. */
  readonly size: () => TerminalSize | undefined;
  /**
   * Hands on every key unchanged, Ctrl-C too, instead of editing lines. @returns a function that restores the
   * terminal, after which nothing is read
   */
  readonly open: (hears: KeyboardListener) => () => void;
}

/** Events of a keyboard. */
interface KeyboardListener {
  /** A promise where no more is to be read before it resolves. */
  readonly typed: (bytes: Uint8Array) => Promise<void> | undefined;
  readonly resized: () => void;
  /** There is no more input. */
  readonly ended: () => void;
}

const TILDE = "~".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const RETURN = 13;
const NEWLINE = 10;

/** Keys without those meant for Stint: after a return, `~.` leaves, and `~~` is a tilde. */
export interface LeavingKeys {
  /** The keys for the job, and whether the user leaves after them. */
  readonly read: (bytes: Uint8Array) => { readonly keys: Uint8Array; readonly isLeaving: boolean };
}

/** Reads keys from the start of a line on. */
export function leavingKeys(): LeavingKeys {
  let isAtStart = true;
  let isTildeHeld = false;
  return {
    read(bytes) {
      const keys: number[] = [];
      for (const byte of bytes) {
        if (isTildeHeld) {
          isTildeHeld = false;
          if (byte === DOT) return { keys: Uint8Array.from(keys), isLeaving: true };
          keys.push(TILDE);
          isAtStart = byte === RETURN || byte === NEWLINE;
          if (byte !== TILDE) keys.push(byte);
        } else if (isAtStart && byte === TILDE) isTildeHeld = true;
        else {
          keys.push(byte);
          isAtStart = byte === RETURN || byte === NEWLINE;
        }
      }
      return { keys: Uint8Array.from(keys), isLeaving: false };
    },
  };
}
