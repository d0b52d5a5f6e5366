/**
 * Polls a broker until the command is stopped; the begin and the end of an outage are reported once
 * each.
 */
import { Fault } from "../base/index.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** The action of each poll, and its interval. */
export interface Asking {
  readonly everyMs: number;
  readonly once: () => Promise<void>;
  /** Message on the consequences of an outage. */
  readonly meanwhile: string;
  /** True once there is nothing more to ask for; absent: there always is. */
  readonly isDone?: () => boolean;
}

/** Polls until the command is stopped. @throws permanent failures */
export async function keepAsking(
  terminal: Terminal,
  { everyMs, once, meanwhile, isDone = () => false }: Asking,
): Promise<void> {
  const ending = new AbortController();
  const giveBack = terminal.onEndRequest(() => ending.abort());
  let trouble: string | undefined;
  try {
    while (!ending.signal.aborted && !isDone()) {
      const now = await once().then(
        () => undefined,
        (error: unknown) => troubleOf(error),
      );
      if (now !== undefined && now !== trouble) {
        terminal.writeError(`stint: ${printable(now)}; ${meanwhile}\n`);
      }
      if (now === undefined && trouble !== undefined) terminal.writeError("stint: following again\n");
      trouble = now;
      if (!isDone()) await pause(everyMs, ending.signal);
    }
  } finally {
    giveBack();
  }
}

/** Reports temporary failures, which are retried; permanent ones end the program. */
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
