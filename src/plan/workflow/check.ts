/**
 * Checks a draft and makes a workflow of it. All problems are reported together, each with its task.
 */
import { accepted, type Result, refused, some } from "../../base/index.ts";
import { cycleIn, topologicalOrder } from "./cycle.ts";
import type { TaskDraft, WorkflowDraft } from "./draft.ts";
import type { Workflow } from "./workflow.ts";

/** A fact that keeps a draft from being a workflow. */
export interface WorkflowProblem {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  /** Line of the task in the file, where the reader knows it. */
  readonly line?: number;
}

const MOST_TASKS = 1_000_000;

/** The workflow that a draft describes, or what is wrong with it. */
export function workflowOf(draft: WorkflowDraft): Result<Workflow, readonly WorkflowProblem[]> {
  const problems: WorkflowProblem[] = [];
  const numbers = numbersOf(draft.tasks, problems);
  for (const task of draft.tasks) checkAmounts(task, problems);
  const edges = edgesOf(draft.tasks, numbers, problems);
  if (problems.length > 0) return refused(problems);
  const count = draft.tasks.length;
  const children = adjacency(count, edges.parent, edges.child, edges.bytes);
  const parents = adjacency(count, edges.child, edges.parent, edges.bytes);
  const order = topologicalOrder(children.start, children.to, parents.start);
  if (order === undefined) {
    const names = cycleIn(parents.start, parents.to).map((task) => draft.tasks[task].id);
    return refused([cycle(names)]);
  }
  return accepted({
    name: draft.name,
    tasks: draft.tasks.map(
      ({ parents: _, line: __, recordedAs: ___, memoryBytes = 0, gpus = 0, amounts = {}, ...task }) => ({
        ...{ ...task, memoryBytes, gpus, amounts },
      }),
    ),
    ...{ parentStart: parents.start, parentOf: parents.to, parentBytes: parents.bytes },
    ...{ childStart: children.start, childOf: children.to, childBytes: children.bytes },
    order,
    ...(draft.capacities === undefined ? {} : { capacities: draft.capacities }),
    ...(draft.execution === undefined ? {} : { execution: draft.execution }),
  });
}

function numbersOf(tasks: readonly TaskDraft[], problems: WorkflowProblem[]): Map<string, number> {
  const numbers = new Map<string, number>();
  if (tasks.length === 0 || tasks.length > MOST_TASKS) problems.push(wrongCount(tasks.length));
  for (const [at, task] of tasks.entries()) {
    if (numbers.has(task.id)) problems.push(about(task, duplicate(task.id)));
    else numbers.set(task.id, at);
  }
  return numbers;
}

function checkAmounts(task: TaskDraft, problems: WorkflowProblem[]): void {
  const { id, procs, runtimeMs, runtimesMs = {}, memoryBytes = 0, gpus = 0, amounts = {} } = task;
  const runtimes = [...(runtimeMs === undefined ? [] : [runtimeMs]), ...Object.values(runtimesMs)];
  if (id === "") problems.push(about(task, noId));
  else if (runtimes.length === 0) problems.push(about(task, noRuntime(id)));
  if (runtimes.some((it) => !(it >= 0))) problems.push(about(task, negative(id, "runtime")));
  const { spreadMs = 0, quantilesMs = [], inputs = [] } = task;
  if (inputs.some(({ bytes }) => !(bytes >= 0))) problems.push(about(task, negative(id, "input size")));
  if (!(spreadMs >= 0)) problems.push(about(task, negative(id, "spread")));
  if (!isRising(quantilesMs)) problems.push(about(task, wrongQuantiles(id)));
  const counts = { procs, memory: memoryBytes, gpus, ...amounts };
  for (const [name, amount] of Object.entries(counts)) {
    if (!Number.isSafeInteger(amount) || amount < 0) problems.push(about(task, negative(id, name)));
  }
}

/** True for probabilities between 0 and 1 that rise, with runtimes that do not fall. */
function isRising(quantiles: readonly (readonly [number, number])[]): boolean {
  return quantiles.every(([probability, ms], at) => {
    const [before, least] = quantiles[at - 1] ?? [0, 0];
    return probability > before && probability < 1 && ms >= least;
  });
}

interface Edges {
  readonly parent: number[];
  readonly child: number[];
  readonly bytes: number[];
}

function edgesOf(
  tasks: readonly TaskDraft[],
  numbers: ReadonlyMap<string, number>,
  problems: WorkflowProblem[],
): Edges {
  const edges: Edges = { parent: [], child: [], bytes: [] };
  for (const [child, task] of tasks.entries()) {
    // A parent that is named twice is one edge, with the bytes of both.
    const own = new Map<number, number>();
    for (const { id, bytes } of task.parents) {
      const parent = numbers.get(id);
      if (parent === undefined) problems.push(about(task, unknownParent(task.id, id)));
      else if (!(bytes >= 0)) problems.push(about(task, negativeBytes(id, task.id)));
      else own.set(parent, (own.get(parent) ?? 0) + bytes);
    }
    for (const [parent, bytes] of own) {
      edges.parent.push(parent);
      edges.child.push(child);
      edges.bytes.push(bytes);
    }
  }
  return edges;
}

interface Adjacency {
  readonly start: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
}

/** Edges by their first end, in the order in which they were given. */
export function adjacency(
  count: number,
  from: readonly number[],
  to: readonly number[],
  bytes: readonly number[],
): Adjacency {
  const start = new Int32Array(count + 1);
  for (const one of from) start[one + 1]++;
  for (let task = 0; task < count; task++) start[task + 1] += start[task];
  const next = start.slice();
  const result: Adjacency = { start, to: new Int32Array(to.length), bytes: new Float64Array(to.length) };
  for (const [edge, one] of from.entries()) {
    const at = next[one]++;
    result.to[at] = to[edge];
    result.bytes[at] = bytes[edge];
  }
  return result;
}

type Words = Omit<WorkflowProblem, "line">;

function about({ line }: TaskDraft, words: Words): WorkflowProblem {
  return line === undefined ? words : { ...words, line };
}

function wrongCount(count: number): Words {
  return {
    code: count === 0 ? "noTasks" : "tooManyTasks",
    what: count === 0 ? "the workflow has no tasks" : `the workflow has ${count} tasks`,
    why: count === 0 ? "there is nothing to plan" : `a plan may have at most ${MOST_TASKS} tasks`,
    remedy: "check that this is the file you mean",
  };
}

const duplicate = (id: string): Words => ({
  code: "duplicateTask",
  what: `two tasks have the id ${id}`,
  why: "parents and plans refer to tasks by their ids",
  remedy: "give each task a unique id",
});
const noId: Words = {
  code: "idMissing",
  what: "a task has no id",
  why: "parents and plans refer to tasks by their ids",
  remedy: "give the task a unique id",
};
const noRuntime = (id: string): Words => ({
  code: "runtimeMissing",
  what: `task ${id} has no runtime`,
  why: "a plan needs to know how long each task runs",
  remedy: "state it in the file, or set one for all such tasks: stint plan FILE --runtime 10m",
});
const negative = (id: string, name: string): Words => ({
  code: "negativeAmount",
  what: `task ${id}: ${name} is not a whole amount from 0`,
  why: "runtimes and amounts of resources are not negative",
  remedy: "correct the file, or treat negative runtimes and sizes as 0: stint plan FILE --lenient",
});
const wrongQuantiles = (id: string): Words => ({
  code: "wrongQuantiles",
  what: `task ${id}: the quantiles of its runtime are not in order`,
  why: "each has a probability between 0 and 1, and runtimes must not decrease with probability",
  remedy: "write for instance quantiles: { 0.5: 10m, 0.9: 25m }",
});
const unknownParent = (id: string, parent: string): Words => ({
  code: "unknownParent",
  what: `task ${id} depends on ${parent}, and there is no such task`,
  why: "a parent is the id of another task in the same file",
  remedy: "correct the id, or add the task",
});
const negativeBytes = (parent: string, id: string): Words => ({
  code: "negativeBytes",
  what: `${parent} sends ${id} a negative number of bytes`,
  why: "a size is 0 or more",
  remedy: "correct the file, or treat negative runtimes and sizes as 0: stint plan FILE --lenient",
});
const cycle = (names: readonly string[]): Words => ({
  code: "cycle",
  what: `the dependencies of tasks form a cycle: ${some([...names, names[0]], "→").replaceAll(", ", " → ")}`,
  why: "no task of a cycle can start",
  remedy: "remove one of these dependencies",
});
