/**
 * Trying again what the machine is short of something for: space, files, processes.
 *
 * Imported by the wrapper: Node's own modules only.
 */
import { setTimeout } from "node:timers/promises";
import { complain } from "./complain.ts";
import { isShortage } from "./unreadable.ts";

const RETRY_MS = 1000;

/** What a deed gives, tried once a second as long as the machine is short. */
export async function insist<Value>(what: string, deed: () => Value | Promise<Value>): Promise<Value> {
  for (let hasComplained = false; ; hasComplained = true) {
    try {
      return await deed();
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (!hasComplained) complain(`cannot ${what}, trying again: ${error}`);
      await setTimeout(RETRY_MS);
    }
  }
}
