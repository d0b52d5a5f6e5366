/**
 * Activity lists from keys: of the tasks whose predecessors are in the list already, the one with the
 * largest priority comes next, of these the one with the smallest key. Keys are starts of a schedule, latest
 * finishes, or a mixture of two schedules.
 */
import type { Workflow } from "../../workflow/index.ts";
import type { Side } from "./passes.ts";

/** Memory of the making of lists. */
export interface ListMaker {
  readonly waitsFor: Int32Array;
  readonly heap: Int32Array;
  readonly list: Int32Array;
  /** By task; absent: all alike. */
  readonly priorities?: Float64Array;
}

/** Prepares for lists of so many tasks. */
export function createListMaker(count: number, priorities?: Float64Array): ListMaker {
  return {
    ...{ waitsFor: new Int32Array(count), heap: new Int32Array(count), list: new Int32Array(count) },
    ...(priorities === undefined ? {} : { priorities }),
  };
}

/** Priorities of tasks; undefined where no task has one. */
export function prioritiesOf({ tasks }: Workflow): Float64Array | undefined {
  const priorities = Float64Array.from(tasks, ({ rules }) => rules?.priority ?? 0);
  return priorities.some((one) => one !== 0) ? priorities : undefined;
}

/** The list of a whole workflow by its priorities, and by keys. */
export function workflowList(workflow: Workflow, keys: Float64Array): Int32Array {
  const { parentStart, parentOf, parentBytes, childStart, childOf, childBytes } = workflow;
  const before = { start: parentStart, of: parentOf, bytes: parentBytes };
  const after = { start: childStart, of: childOf, bytes: childBytes };
  return listByKeys(createListMaker(workflow.tasks.length, prioritiesOf(workflow)), before, after, keys);
}

/** The list of a whole workflow: tasks of larger priority first, of equal ones by an order of tasks. */
export function listByPriority(
  workflow: Workflow,
  compare: (one: number, other: number) => number,
): Int32Array {
  const inTurn = [...workflow.tasks.keys()].sort(compare);
  const keys = new Float64Array(inTurn.length);
  for (const [place, task] of inTurn.entries()) keys[task] = place;
  return workflowList(workflow, keys);
}

/** The list by keys; `before` and `after` are the graph in its direction. Of equal keys the first task. */
export function listByKeys(maker: ListMaker, before: Side, after: Side, keys: Float64Array): Int32Array {
  const { waitsFor, heap, list, priorities } = maker;
  const count = list.length;
  const isBefore = (one: number, other: number): boolean =>
    priorities === undefined || priorities[one] === priorities[other]
      ? keys[one] < keys[other] || (keys[one] === keys[other] && one < other)
      : priorities[one] > priorities[other];
  let size = 0;
  const push = (task: number): void => {
    let at = size++;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isBefore(task, heap[up])) break;
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = task;
  };
  for (let task = 0; task < count; task++) {
    waitsFor[task] = before.start[task + 1] - before.start[task];
    if (waitsFor[task] === 0) push(task);
  }
  for (let done = 0; done < count; done++) {
    const task = heap[0];
    list[done] = task;
    const last = heap[--size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    for (let edge = after.start[task]; edge < after.start[task + 1]; edge++) {
      if (--waitsFor[after.of[edge]] === 0) push(after.of[edge]);
    }
  }
  return list;
}
