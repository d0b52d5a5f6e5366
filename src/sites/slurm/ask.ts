/**
 * Asking a cluster: a command that has to go well, and whose answer is text.
 */
import { Fault } from "../../base/index.ts";
import type { RunCommand } from "./run-command.ts";
import { slurmFault } from "./slurm-fault.ts";

/** Asks; `what` is for people: `jobs`. @throws Fault, see {@link slurmFault} */
export type Ask = (what: string, words: readonly string[]) => Promise<string>;

/** Longer than Slurm's own clients wait for a controller that is gone (9 s). */
const ASK_TIMEOUT_MS = 15_000;

/** Asks through commands. What is only asked changes nothing, so any failure may be tried again. */
export function askWith(run: RunCommand, timeoutMs: number = ASK_TIMEOUT_MS): Ask {
  return async (what, words) => {
    const result = await run({ words, timeoutMs });
    if (result.code !== 0) throw slurmFault(`cannot see its ${what}`, result);
    return result.stdout.toString("utf8");
  };
}

/** Why something could not be seen. */
export function complaint(error: unknown): string {
  if (error instanceof Fault) return error.why;
  return error instanceof Error ? error.message : String(error);
}
