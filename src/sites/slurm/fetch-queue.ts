/** One reading of the whole queue. */
import { type Queue, readQueue, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { RunCommand } from "./command.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { withOwnTasks } from "./queued-tasks.ts";
import { slurmFault } from "./slurm-fault.ts";

/** Reads the queue. An empty list counts only without an error message. @throws Fault */
export async function fetchQueue(run: RunCommand): Promise<Queue> {
  const result = await run({ words: SQUEUE_COMMAND, timeoutMs: ORDER_TIMEOUT_MS });
  const isSilent = result.stdout.length === 0 && result.stderr.trim() !== "";
  if (result.code !== 0 || isSilent) throw slurmFault("cannot see its queue", result);
  const queue = readQueue(result.stdout.toString("utf8"));
  return { ...queue, jobs: withOwnTasks(queue.jobs) };
}
