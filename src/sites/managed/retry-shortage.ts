/**
 * Retries a step that failed because the machine is short of space, files or processes; and the wrapper's own
 * log of problems.
 *
 * Imported by the wrapper: Node's own modules only.
 */
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isShortage } from "./unreadable.ts";

const RETRY_MS = 1000;
const STDERR = 2;

/** Runs `step` once a second until it does not fail for a shortage. Other errors are thrown. */
export async function retryWhileShort<Value>(
  what: string,
  step: () => Value | Promise<Value>,
): Promise<Value> {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await step();
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (!isLogged) logProblem(`cannot ${what}, trying again: ${error}`);
      await setTimeout(RETRY_MS);
    }
  }
}

/** Appends a line to the wrapper's log. Errors are ignored: a full disk must not end the wrapper. */
export function logProblem(line: string): void {
  try {
    writeSync(STDERR, `${line}\n`);
  } catch {
    // The log is the last place to report to.
  }
}
