/**
 * How large a cluster is for us: all its nodes, or those of the partition that our jobs go to.
 */
import { NODES_COMMAND, readNodes } from "../../formats/slurm/index.ts";
import type { SiteCapacity } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";

/**
 * Asks the cluster. Nodes that are out of service count: they come back.
 *
 * @param partition null: every node, as the whole queue is seen
 */
export async function capacityOf(ask: Ask, partition: string | null): Promise<SiteCapacity> {
  const nodes = readNodes(await ask("nodes", NODES_COMMAND)).filter(
    ({ partitions }) => partition === null || partitions.includes(partition),
  );
  return {
    procs: nodes.reduce((sum, { procs }) => sum + procs, 0),
    memoryBytes: nodes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  };
}
