/**
 * Ctrl-C, SIGTERM and a reader that has gone: one command at a time may take them over; otherwise they end
 * the process.
 */
import type { EndRequest } from "../cli/index.ts";

type EndSignal = "SIGINT" | "SIGTERM";

/** Listens for the process's whole life. */
export interface EndRequests {
  /** As `Surface.onEndRequest`. */
  readonly takeOver: (listener: (request: EndRequest) => void) => () => void;
  /** Whether somebody asked twice of the command that took over; then the process ends by the signal. */
  readonly endWhereInsisted: () => Promise<void>;
}

/** Begins to listen. */
export function listenForEndRequests(): EndRequests {
  let listener: ((request: EndRequest) => void) | undefined;
  let signalsTaken = 0;
  let last: EndSignal = "SIGINT";
  const onSignal = (signal: EndSignal, request: EndRequest): void => {
    last = signal;
    if (listener === undefined) void endBy(signal);
    else {
      signalsTaken++;
      listener(request);
    }
  };
  process.on("SIGINT", () => onSignal("SIGINT", "interrupt"));
  process.on("SIGTERM", () => onSignal("SIGTERM", "terminate"));
  const onWriteError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    // `stint … | head`: the reader has gone, which is no error of anybody.
    if (listener === undefined) process.exit(0);
    listener("readerGone");
  };
  process.stdout.on("error", onWriteError);
  process.stderr.on("error", onWriteError);
  return {
    takeOver: (taking) => {
      listener = taking;
      signalsTaken = 0;
      return () => {
        if (listener === taking) listener = undefined;
      };
    },
    endWhereInsisted: async () => {
      if (signalsTaken > 1) await endBy(last);
    },
  };
}

/**
 * Ctrl-C: no half-written file stays behind, the terminal is as it was, and the process ends by the
 * signal itself, because leaving in the usual way waits for a read that may never come (a silent pipe).
 */
async function endBy(signal: EndSignal): Promise<void> {
  const { abortOpenFiles } = await import("../formats/index.ts");
  abortOpenFiles();
  process.removeAllListeners(signal);
  process.once("exit", () => process.kill(process.pid, signal));
  process.exit();
}
