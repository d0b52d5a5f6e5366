/**
 * DAGs: jobs that wait for each other, submitted as one.
 *
 * A node becomes a job when the nodes before it have ended successfully. Records of a DAG and of its nodes
 * are stored apart, so that a change of one node writes one small record.
 */
import type { JobRecord } from "./job.ts";
import type { JobDescription } from "./job-description.ts";
import type { NodeLimits, NodeRules } from "./node-rules.ts";
import { type JobSteps, type StepRange, stepRanges } from "./steps.ts";

/** Largest number of nodes of a DAG. */
export const MOST_DAG_NODES = 10_000;

/** Largest number of dependencies of a DAG. */
export const MOST_DAG_DEPENDENCIES = 100_000;

/** A node as it was submitted. */
export interface DagNode extends NodeRules {
  readonly name: string;
  readonly description: JobDescription;
  /** Total size of its input files; absent: none. */
  readonly inputBytes?: number;
  /** Indexes of the nodes that have to end successfully first. */
  readonly parents: readonly number[];
  /** `noop`: it counts as done without a job; `done`: it was done before the submission. */
  readonly skip?: "noop" | "done";
  /** Steps of a node that is to be split; an accepted DAG has the parts of the node instead. */
  readonly steps?: JobSteps;
  /** Steps of a part of a partitionable job; its program runs once for each. */
  readonly stepRange?: StepRange;
}

/** A DAG as it is submitted. */
export interface DagPlan extends NodeLimits {
  readonly name?: string;
  readonly userTags: Readonly<Record<string, string>>;
  readonly nodes: readonly DagNode[];
}

/**
 * The DAG with the parts of each partitionable node in its place. Splitting stops as
 * soon as the DAG has too many nodes or dependencies, for which it is then refused.
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

/**
 * State of a node. RUNNING: it has a job; FUTILE: it never runs, since a node before it failed or the DAG was
 * ended early.
 */
export type DagNodeState = "WAITING" | "HELD" | "RUNNING" | "DONE" | "FAILED" | "FUTILE" | "CANCELLED";

/** Every state of a node, in the order of a life. */
export const DAG_NODE_STATES: readonly DagNodeState[] = [
  ...(["WAITING", "HELD", "RUNNING", "DONE", "FAILED", "FUTILE", "CANCELLED"] as const),
];

/** True for a node that neither runs nor will run. */
export function isNodeOver(state: DagNodeState): boolean {
  return state !== "WAITING" && state !== "HELD" && state !== "RUNNING";
}

/** A node, with what has become of it. Times are Unix ms. */
export interface DagNodeRecord {
  readonly dag: string;
  readonly index: number;
  readonly node: DagNode;
  readonly state: DagNodeState;
  /** Jobs that it has had. */
  readonly tries: number;
  /** Those before it was last retried by request, which do not count against its retries. */
  readonly triesBefore: number;
  /** Last job; null before the first. */
  readonly job: string | null;
  /** Exit code of its last job that ended. */
  readonly exitCode: number | null;
  readonly endedAtMs: number | null;
}

/** Number of nodes in each state. */
export type DagCounts = Readonly<Record<DagNodeState, number>>;

/** State of a DAG. */
export type DagStateWord = "WAITING" | "HELD" | "RUNNING" | "DONE" | "CANCELLED";

/** A DAG, without its nodes. Times are Unix ms. */
export interface DagRecord extends Omit<DagPlan, "nodes"> {
  readonly id: string;
  readonly consumer: string;
  readonly owner: string;
  readonly submittedAtMs: number;
  /** In the order of acceptance of jobs. */
  readonly order: number;
  readonly size: number;
  readonly counts: DagCounts;
  /** No node starts while it is. */
  readonly isHeld: boolean;
  readonly isCancelRequested: boolean;
  /** The node that ended the DAG early, and the DAG's exit code. */
  readonly aborted: { readonly node: string; readonly result: number } | null;
  readonly endedAtMs: number | null;
  readonly result: "ok" | "failed" | null;
}

/** A DAG with its nodes. */
export interface WholeDag {
  readonly dag: DagRecord;
  readonly nodes: readonly DagNodeRecord[];
}

/** The state of a DAG, which follows from its nodes. */
export function stateOfDag({ counts, isHeld, isCancelRequested, endedAtMs }: DagRecord): DagStateWord {
  if (endedAtMs !== null) return isCancelRequested ? "CANCELLED" : "DONE";
  if (isHeld) return "HELD";
  return counts.RUNNING + counts.DONE + counts.FAILED > 0 ? "RUNNING" : "WAITING";
}

/** The job or array of another that a record belongs to, as what it is listed under; undefined for none. */
export function wholeOf({ array, part }: Pick<JobRecord, "array" | "part">): string | undefined {
  return array?.id ?? part?.id;
}

/** Under which id the input files of a job are kept, which several jobs may share. */
export function inputsOf({ id, array, part }: Pick<JobRecord, "id" | "array" | "part">): string {
  if (part !== undefined) return nodeJobId(part.id, part.index, 1);
  return array?.id ?? id;
}

/** Id of the job of a node. @param attempt 1, 2, 3 … */
export function nodeJobId(dag: string, index: number, attempt: number): string {
  return attempt === 1 ? `${dag}-${index}` : `${dag}-${index}-${attempt}`;
}

/** Description of the job of a node: its own, and variables that tell its program what it is. */
export function nodeDescription(dag: string, { name, description }: DagNode, attempt: number) {
  const environment = {
    ...description.environment,
    STINT_DAG_ID: dag,
    STINT_DAG_NODE: name,
    STINT_DAG_TRY: String(attempt),
  };
  return { ...description, environment };
}

/** Why the nodes of a DAG do not fit together. */
export type DagFault =
  | { readonly kind: "empty" }
  | { readonly kind: "tooMany"; readonly nodes: number; readonly dependencies: number }
  | { readonly kind: "sameName"; readonly name: string }
  | { readonly kind: "noParent"; readonly name: string }
  | { readonly kind: "twoFinal"; readonly name: string }
  | { readonly kind: "finalHasParents"; readonly name: string }
  | { readonly kind: "cycle"; readonly names: readonly string[] };

/** A node as far as its place among the others is concerned. */
type NodeOrder = Pick<DagNode, "name" | "parents" | "isFinal">;

/** The first fault of a DAG; undefined where there is none. */
export function faultOfDag(nodes: readonly NodeOrder[]): DagFault | undefined {
  if (nodes.length === 0) return { kind: "empty" };
  const dependencies = nodes.reduce((sum, { parents }) => sum + parents.length, 0);
  if (nodes.length > MOST_DAG_NODES || dependencies > MOST_DAG_DEPENDENCIES) {
    return { kind: "tooMany", nodes: nodes.length, dependencies };
  }
  const names = new Set<string>();
  let final: string | undefined;
  for (const { name, parents, isFinal } of nodes) {
    if (names.has(name)) return { kind: "sameName", name };
    names.add(name);
    if (parents.some((parent) => nodes[parent] === undefined || nodes[parent].isFinal === true)) {
      return { kind: "noParent", name };
    }
    if (isFinal !== true) continue;
    if (final !== undefined) return { kind: "twoFinal", name };
    if (parents.length > 0) return { kind: "finalHasParents", name };
    final = name;
  }
  return cycleIn(nodes);
}

/** A cycle, by walking from nodes that no order can place to one of their parents that has none either. */
function cycleIn(nodes: readonly NodeOrder[]): DagFault | undefined {
  const children = childrenOf(nodes);
  const unmet = nodes.map(({ parents }) => parents.length);
  const free = nodes.flatMap(({ parents }, index) => (parents.length === 0 ? [index] : []));
  let placed = 0;
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    placed++;
    for (const child of children[next] ?? []) if (--unmet[child] === 0) free.push(child);
  }
  if (placed === nodes.length) return undefined;
  const path: number[] = [];
  let at = unmet.findIndex((left) => left > 0);
  while (!path.includes(at) && path.length < MOST_SHOWN) {
    path.push(at);
    at = nodes[at]?.parents.find((parent) => (unmet[parent] ?? 0) > 0) ?? at;
  }
  const cycle = [...path.slice(Math.max(0, path.indexOf(at))), at].reverse();
  return { kind: "cycle", names: cycle.map((index) => nodes[index]?.name ?? "") };
}

/** Nodes of a cycle that are named at most. */
const MOST_SHOWN = 1000;

/** Indexes of the nodes that follow each node. */
export function childrenOf(nodes: readonly Pick<DagNode, "parents">[]): readonly (readonly number[])[] {
  const children: number[][] = nodes.map(() => []);
  for (const [index, { parents }] of nodes.entries()) {
    for (const parent of parents) children[parent]?.push(index);
  }
  return children;
}
