/**
 * A command that asks another broker again and again until it is ended: trouble is told once, and its end.
 */
import { Fault } from "../base/index.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** What is done each time, and how often. */
export interface Asking {
  readonly everyMs: number;
  readonly once: () => Promise<void>;
  /** What holds while there is trouble. */
  readonly meanwhile: string;
}

/** Asks until it is asked to end. @throws what does not pass by itself */
export async function keepAsking(terminal: Terminal, { everyMs, once, meanwhile }: Asking): Promise<void> {
  const ending = new AbortController();
  const giveBack = terminal.onEndRequest(() => ending.abort());
  let trouble: string | undefined;
  try {
    while (!ending.signal.aborted) {
      const now = await once().then(
        () => undefined,
        (error: unknown) => troubleOf(error),
      );
      if (now !== undefined && now !== trouble) {
        terminal.writeError(`stint: ${printable(now)}; ${meanwhile}\n`);
      }
      if (now === undefined && trouble !== undefined) terminal.writeError("stint: following again\n");
      trouble = now;
      await pause(everyMs, ending.signal);
    }
  } finally {
    giveBack();
  }
}

/** What passes by itself is told and tried again; what does not ends the program. */
function troubleOf(error: unknown): string {
  if (error instanceof Fault && (error.kind === "unreachable" || error.code === "policiesChanged")) {
    return error.what;
  }
  throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
