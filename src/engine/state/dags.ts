/** DAGs that are not over: what their nodes are, and which of these may become jobs. */
import {
  childrenOf,
  DAG_NODE_STATES,
  type DagCounts,
  type DagNode,
  type DagNodeRecord,
  type DagNodeState,
  type DagRecord,
  endOfJob,
  isNodeOver,
  type JobRecord,
  type NodeRules,
  type WholeDag,
} from "../../model/index.ts";
import { byPriority, isAborting, isRunAgain, placesLeft } from "./node-rules.ts";

/** A DAG that is not over. */
export interface DagState {
  /** Without its counts, which are in `counts`. */
  record: DagRecord;
  readonly counts: Record<DagNodeState, number>;
  readonly nodes: DagNodeRecord[];
  readonly children: readonly (readonly number[])[];
  /** Number of nodes before each that are not done. */
  readonly unmet: number[];
  /** Nodes that wait for nothing but a place among those that have a job. */
  readonly ready: Set<number>;
  /** Nodes that have a job, by category. */
  readonly runningOf: Map<string, number>;
  /** Nodes that changed since they were last taken. */
  readonly changed: Set<number>;
  /** The node that runs last; −1 without one. */
  readonly final: number;
}

/** DAGs that are not over, and those for which something is to be decided. */
export interface Dags {
  readonly open: Map<string, DagState>;
  readonly due: Set<string>;
}

/** No DAG. */
export function noDags(): Dags {
  return { open: new Map(), due: new Set() };
}

/** A node as it begins. */
export function newNode(dag: string, index: number, node: DagNode): DagNodeRecord {
  const none = { job: null, exitCode: null, endedAtMs: null } as const;
  return { dag, index, node, state: "WAITING", tries: 0, triesBefore: 0, ...none };
}

/** Counts without any node. */
export function noNodes(): Record<DagNodeState, number> {
  return Object.assign({}, ...DAG_NODE_STATES.map((state) => ({ [state]: 0 })));
}

/** Takes over a DAG: a new one, or as it was stored. */
export function openDag(dags: Dags, { dag, nodes }: WholeDag): DagState {
  const plans = nodes.map(({ node }) => node);
  const state: DagState = {
    record: dag,
    counts: noNodes(),
    nodes: [...nodes],
    children: childrenOf(plans),
    unmet: plans.map(({ parents }) => parents.length),
    ready: new Set(),
    runningOf: new Map(),
    changed: new Set(),
    final: plans.findIndex(({ isFinal }) => isFinal === true),
  };
  dags.open.set(dag.id, state);
  for (const [index, node] of nodes.entries()) {
    state.counts[node.state]++;
    if (node.state === "RUNNING") countRunning(state, node, 1);
    if (node.state === "DONE") for (const child of state.children[index] ?? []) state.unmet[child]--;
  }
  for (const index of nodes.keys()) look(state, index);
  noteDue(dags, state);
  return state;
}

/** A job was made of a node. */
export function nodeStarted(state: DagState, index: number, job: string): void {
  put(state, index, { state: "RUNNING", job, tries: (state.nodes[index]?.tries ?? 0) + 1, endedAtMs: null });
}

/** The job of a node has ended: the node is done, runs again, or has failed for good. */
export function nodeEnded(state: DagState, index: number, job: JobRecord, atMs: number): void {
  const record = state.nodes[index];
  if (record?.state !== "RUNNING" || record.job !== job.id) return;
  const { exitCode } = job;
  const end = { exitCode, endedAtMs: atMs };
  const { abortOn } = record.node;
  const isEnding = isAborting(record.node, exitCode) && job.state === "DONE";
  if (isEnding && abortOn !== undefined && state.record.aborted === null) {
    state.record = { ...state.record, aborted: { node: record.node.name, result: abortOn.result } };
  }
  if (endOfJob(job) === "ok") {
    put(state, index, { ...end, state: "DONE" });
    release(state, index, atMs);
  } else if (job.state === "CANCELLED") put(state, index, { ...end, state: "CANCELLED" });
  else if (!isEnding && mayRunAgain(state, record, exitCode))
    put(state, index, { exitCode, state: "WAITING" });
  else put(state, index, { ...end, state: "FAILED" });
  if (state.record.aborted !== null) leaveOut(state, state.nodes.keys(), atMs);
  else if (isLost(state, index)) leaveOut(state, below(state, index), atMs);
  look(state, index);
}

function isLost({ nodes }: DagState, index: number): boolean {
  const word = nodes[index]?.state;
  return word === "FAILED" || word === "CANCELLED";
}

function mayRunAgain({ record }: DagState, node: DagNodeRecord, exitCode: number | null): boolean {
  if (record.aborted !== null || record.isCancelRequested) return false;
  return isRunAgain(node.node, node.tries - node.triesBefore, exitCode);
}

/** Cancels waiting nodes, and so those that follow them. The jobs of others are cancelled as jobs. */
export function cancelNodes(state: DagState, indexes: Iterable<number>, atMs: number): void {
  const lost: number[] = [];
  for (const index of indexes) {
    const word = state.nodes[index]?.state;
    if (word !== "WAITING" && word !== "HELD") continue;
    put(state, index, { state: "CANCELLED", endedAtMs: atMs });
    lost.push(index);
  }
  for (const index of lost) leaveOut(state, below(state, index), atMs);
}

/** Holds waiting nodes, or releases held ones. */
export function holdNodes(state: DagState, indexes: Iterable<number>, isHeld: boolean): void {
  const [from, to] = isHeld ? (["WAITING", "HELD"] as const) : (["HELD", "WAITING"] as const);
  for (const index of indexes) if (state.nodes[index]?.state === from) put(state, index, { state: to });
}

/** Gives nodes that have ended another chance, with all their retries. */
export function resetNodes(state: DagState, indexes: Iterable<number>): void {
  for (const index of indexes) {
    const triesBefore = state.nodes[index]?.tries ?? 0;
    put(state, index, { state: "WAITING", triesBefore, endedAtMs: null });
  }
}

/** Nodes that a retry of some runs again: what did not succeed of them, and of what follows them. */
export function retried(
  { nodes, children, final }: Pick<DagState, "nodes" | "children" | "final">,
  named: readonly number[] | undefined,
): readonly number[] {
  const isLeft = (index: number): boolean => {
    const word = nodes[index]?.state;
    return word === "FAILED" || word === "FUTILE" || word === "CANCELLED";
  };
  const from = named ?? [...nodes.keys()];
  const found = new Set(from.filter(isLeft));
  if (found.size === 0) return [];
  for (const index of found) {
    for (const child of children[index] ?? []) if (nodes[child]?.state === "FUTILE") found.add(child);
  }
  // The last node judges the DAG anew.
  if (final >= 0 && isNodeOver(nodes[final]?.state ?? "WAITING")) found.add(final);
  return [...found];
}

/** Finishes what an event did to a DAG: the last node becomes ready or waits again, or the DAG ends. */
export function settleDag(dags: Dags, state: DagState, atMs: number): void {
  const { record, nodes, final } = state;
  for (const index of [...state.changed]) look(state, index, atMs);
  if (final >= 0) {
    if (record.isCancelRequested && othersAreOver(state)) cancelNodes(state, [final], atMs);
    else look(state, final, atMs);
  }
  const { WAITING, HELD, RUNNING } = state.counts;
  if (WAITING + HELD + RUNNING === 0) {
    const judged = final >= 0 ? nodes[final]?.state === "DONE" : resultOf(state);
    const isOk = judged && !record.isCancelRequested;
    state.record = { ...record, endedAtMs: atMs, result: isOk ? "ok" : "failed" };
    dags.open.delete(record.id);
  }
  noteDue(dags, state);
}

function resultOf({ record, nodes, counts }: DagState): boolean {
  return record.aborted === null ? counts.DONE === nodes.length : record.aborted.result === 0;
}

function othersAreOver({ nodes, counts, final }: DagState): boolean {
  const { WAITING, HELD, RUNNING } = counts;
  const own = isNodeOver(nodes[final]?.state ?? "DONE") ? 0 : 1;
  return WAITING + HELD + RUNNING - own === 0;
}

/** Nodes of a DAG that can become jobs now, those with larger priority first; at most `limit`. */
export function startableNodes(state: DagState, limit: number): readonly number[] {
  const { record, counts, nodes, ready, runningOf } = state;
  const { maxRunning = Number.POSITIVE_INFINITY } = record;
  if (record.isHeld || ready.size === 0 || counts.RUNNING >= maxRunning) return [];
  const rulesOf = (index: number): NodeRules => nodes[index]?.node ?? {};
  const hasPriorities = nodes.some(({ node }) => (node.priority ?? 0) !== 0);
  const inOrder = hasPriorities
    ? [...ready].sort((a, b) => byPriority(rulesOf(a), rulesOf(b)) || a - b)
    : ready;
  const take = placesLeft(record, { count: counts.RUNNING, byCategory: runningOf });
  const found: number[] = [];
  for (const index of inOrder) {
    if (found.length >= limit) break;
    if (take(rulesOf(index).category)) found.push(index);
  }
  return found;
}

/** The DAG as it is now, for its view. */
export function dagRecord({ record, counts }: DagState): DagRecord {
  return { ...record, counts: { ...counts } satisfies DagCounts };
}

function noteDue({ open, due }: Dags, state: DagState): void {
  const { id, aborted } = state.record;
  const isEnding = aborted !== null && state.counts.RUNNING > 0;
  if (open.has(id) && (isEnding || startableNodes(state, 1).length > 0)) due.add(id);
  else due.delete(id);
}

/** Those that follow a node, directly or not. */
function below({ children }: DagState, index: number): Set<number> {
  const found = new Set<number>(children[index]);
  for (const one of found) for (const child of children[one] ?? []) found.add(child);
  return found;
}

/** Marks waiting nodes as never to run, except the final node, which runs whatever happened. */
function leaveOut(state: DagState, indexes: Iterable<number>, atMs: number): void {
  for (const index of indexes) {
    const word = state.nodes[index]?.state;
    if (index === state.final || (word !== "WAITING" && word !== "HELD")) continue;
    put(state, index, { state: "FUTILE", endedAtMs: atMs });
  }
}

/** A node is done: those after it have one less to wait for. */
function release(state: DagState, index: number, atMs: number): void {
  const done = [index];
  for (let next = done.pop(); next !== undefined; next = done.pop()) {
    for (const child of state.children[next] ?? []) {
      state.unmet[child]--;
      if (isSkippedNow(state, child, atMs)) done.push(child);
    }
  }
}

/** Notes whether a node may become a job. */
function look(state: DagState, index: number, atMs = state.record.submittedAtMs): void {
  if (isSkippedNow(state, index, atMs)) release(state, index, atMs);
}

/** Notes whether a node may become a job; true for one that needs none and is done now. */
function isSkippedNow(state: DagState, index: number, atMs: number): boolean {
  const record = state.nodes[index];
  const isFree = record?.state === "WAITING" && state.unmet[index] === 0;
  if (!isFree || (index === state.final && !othersAreOver(state))) {
    state.ready.delete(index);
    return false;
  }
  if (record.node.skip === undefined) {
    state.ready.add(index);
    return false;
  }
  put(state, index, { state: "DONE", endedAtMs: atMs });
  return true;
}

function put(state: DagState, index: number, change: Partial<DagNodeRecord>): void {
  const before = state.nodes[index];
  if (before === undefined) return;
  const after = { ...before, ...change };
  state.counts[before.state]--;
  state.counts[after.state]++;
  if (before.state === "RUNNING") countRunning(state, before, -1);
  if (after.state === "RUNNING") countRunning(state, after, 1);
  if (before.state === "DONE" && after.state !== "DONE") {
    for (const child of state.children[index] ?? []) state.unmet[child]++;
  }
  if (after.state !== "WAITING") state.ready.delete(index);
  state.nodes[index] = after;
  state.changed.add(index);
}

function countRunning({ runningOf }: DagState, { node }: DagNodeRecord, by: 1 | -1): void {
  const { category = "" } = node;
  runningOf.set(category, (runningOf.get(category) ?? 0) + by);
}
