/** Capacity of a cluster: all nodes, or those of the partition for our jobs. */
import { NODES_COMMAND, readNodes } from "../../formats/slurm/index.ts";
import type { SiteCapacity } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";

/**
 * Reads the capacity. Nodes out of service count: they return.
 *
 * @param partition null: every node
 */
export async function capacityOf(ask: Ask, partition: string | null): Promise<SiteCapacity> {
  const nodes = readNodes(await ask("nodes", NODES_COMMAND)).filter(
    ({ partitions }) => partition === null || partitions.includes(partition),
  );
  return {
    procs: nodes.reduce((sum, { procs }) => sum + procs, 0),
    memoryBytes: nodes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    gpus: nodes.reduce((sum, { gpus }) => Object.values(gpus).reduce((all, count) => all + count, sum), 0),
  };
}
