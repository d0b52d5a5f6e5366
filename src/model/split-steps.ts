/** Partitionable nodes of a DAG, split into their parts before the DAG is accepted. */
import { type DagNode, type DagPlan, MOST_DAG_DEPENDENCIES, MOST_DAG_NODES } from "./dag.ts";
import { type StepRange, stepRanges } from "./steps.ts";

/**
 * The DAG with the parts of each partitionable node in its place. One that would have too many nodes or
 * dependencies is split only until it has, and is refused as such.
 *
 * @param placesOf free places for a node
 */
export function splitSteps(plan: DagPlan, placesOf: (node: DagNode) => number): DagPlan {
  if (plan.nodes.every(({ steps }) => steps === undefined)) return plan;
  const places = new Map<number, readonly number[]>();
  const split: DagNode[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    const { steps, ...whole } = node;
    const isWhole = steps === undefined || split.length > MOST_DAG_NODES;
    const nodes = isWhole ? [node] : partsOf(whole, stepRanges(node.name, steps, placesOf(node)));
    places.set(
      index,
      nodes.map((_, part) => split.length + part),
    );
    split.push(...nodes);
  }
  let dependencies = 0;
  const nodes = split.map((node) => {
    if (dependencies > MOST_DAG_DEPENDENCIES) return node;
    const follows = node.parents.some((parent) => plan.nodes[parent]?.steps !== undefined);
    const parents = node.parents.flatMap((parent) => places.get(parent) ?? []);
    dependencies += parents.length;
    return { ...(follows ? checkpointed(node) : node), parents };
  });
  return { ...plan, nodes };
}

function partsOf(node: DagNode, ranges: readonly StepRange[]): readonly DagNode[] {
  const { name, description } = checkpointed(node);
  return ranges.map((range, part) => {
    const own = `${name}.${part + 1}`;
    return { ...node, name: own, description: { ...description, name: own }, stepRange: range };
  });
}

function checkpointed(node: DagNode): DagNode {
  return { ...node, description: { ...node.description, checkpointable: true } };
}
