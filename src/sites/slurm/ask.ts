/** Read-only commands of a cluster whose output is text. */
import { Fault, messageOf } from "../../base/index.ts";
import type { RunCommand } from "./run-command.ts";
import { slurmFault } from "./slurm-fault.ts";

/** Runs a command; `what` names its subject for people: `jobs`. @throws Fault, see {@link slurmFault} */
export type Ask = (what: string, words: readonly string[]) => Promise<string>;

/** Timeout in ms; Slurm's own clients wait 9 s for a controller that is down. */
const ASK_TIMEOUT_MS = 15_000;

/** Reads through commands that change nothing, so that any failure may be retried. */
export function askWith(run: RunCommand, timeoutMs: number = ASK_TIMEOUT_MS): Ask {
  return async (what, words) => {
    const result = await run({ words, timeoutMs });
    if (result.code !== 0) throw slurmFault(`cannot see its ${what}`, result);
    return result.stdout.toString("utf8");
  };
}

/** Reason for which a reading failed. */
export function failureReason(error: unknown): string {
  if (error instanceof Fault) return error.why;
  return messageOf(error);
}
