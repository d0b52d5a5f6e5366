/** Further dependencies of a workflow, without data. */
import { assert } from "../../base/index.ts";
import { adjacency } from "./check.ts";
import { topologicalOrder } from "./cycle.ts";
import type { Workflow } from "./workflow.ts";

/** Numbers of two tasks. */
export interface Dependency {
  readonly parent: number;
  readonly child: number;
}

/** The workflow with these dependencies, which must make no cycle; unchanged if there are none. */
export function withDependencies(workflow: Workflow, added: readonly Dependency[]): Workflow {
  if (added.length === 0) return workflow;
  const { tasks, parentStart, parentOf, parentBytes } = workflow;
  const count = tasks.length;
  const own = [...tasks.keys()].flatMap((task) =>
    Array.from({ length: parentStart[task + 1] - parentStart[task] }, () => task),
  );
  const parent = [...parentOf, ...added.map((one) => one.parent)];
  const child = [...own, ...added.map((one) => one.child)];
  const bytes = [...parentBytes, ...added.map(() => 0)];
  const children = adjacency(count, parent, child, bytes);
  const parents = adjacency(count, child, parent, bytes);
  const order = topologicalOrder(children.start, children.to, parents.start);
  assert(order !== undefined, "further dependencies follow an order of the tasks");
  return {
    ...{ ...workflow, order },
    ...{ parentStart: parents.start, parentOf: parents.to, parentBytes: parents.bytes },
    ...{ childStart: children.start, childOf: children.to, childBytes: children.bytes },
  };
}
