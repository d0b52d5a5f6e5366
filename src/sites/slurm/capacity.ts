/** Capacity of a cluster: all nodes, or those of the partition for our jobs; and whether pilots fit there. */
import { counted, sizeText } from "../../base/index.ts";
import { NODES_COMMAND, readNodes } from "../../formats/slurm/index.ts";
import type { ClusterNode, PilotRules } from "../../model/index.ts";
import type { SiteCapacity } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";

/** Nodes of a cluster, or of a partition. Nodes out of service are included: they return. */
export async function nodesFor(ask: Ask, partition: string | null): Promise<readonly ClusterNode[]> {
  return readNodes(await ask("nodes", NODES_COMMAND)).filter(
    ({ partitions }) => partition === null || partitions.includes(partition),
  );
}

/** Sum over nodes. */
export function capacityOf(nodes: readonly ClusterNode[]): SiteCapacity {
  return {
    procs: nodes.reduce((sum, { procs }) => sum + procs, 0),
    memoryBytes: nodes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    gpus: nodes.reduce((sum, { gpus }) => sum + gpusOf(gpus), 0),
  };
}

/** Why a pilot fits on none of the nodes, which a pilot needs to be on one; undefined where it does. */
export function pilotMisfit(
  { procs, memoryBytes = 0, gpus = 0 }: PilotRules,
  nodes: readonly ClusterNode[],
): string | undefined {
  const fits = nodes.some(
    (node) => node.procs >= procs && node.memoryBytes >= memoryBytes && gpusOf(node.gpus) >= gpus,
  );
  if (fits || nodes.length === 0) return undefined;
  const most = nodes.reduce((best, node) => (node.procs > best.procs ? node : best));
  const memory = memoryBytes === 0 ? "" : ` and ${sizeText(memoryBytes)} of memory`;
  const wanted = `${counted(procs, "processor")}${gpus === 0 ? "" : `, ${counted(gpus, "GPU")}`}${memory}`;
  return (
    `a pilot is on one node, and no node has ${wanted}; the largest, ${most.name}, has ` +
    `${counted(most.procs, "processor")}, ${counted(gpusOf(most.gpus), "GPU")} and ` +
    `${sizeText(most.memoryBytes)} of memory`
  );
}

function gpusOf(gpus: ClusterNode["gpus"]): number {
  return Object.values(gpus).reduce((all, count) => all + count, 0);
}
