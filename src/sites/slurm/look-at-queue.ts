/**
 * One look at the whole queue.
 */
import { type Queue, readQueue, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { RunCommand } from "./command.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { slurmFault } from "./slurm-fault.ts";

/** Looks. An empty list is believed only of a command that said nothing else. @throws Fault */
export async function lookAtQueue(run: RunCommand): Promise<Queue> {
  const result = await run({ words: SQUEUE_COMMAND, timeoutMs: ORDER_TIMEOUT_MS });
  const isSilent = result.stdout.length === 0 && result.stderr.trim() !== "";
  if (result.code !== 0 || isSilent) throw slurmFault("cannot see its queue", result);
  return readQueue(result.stdout.toString("utf8"));
}
