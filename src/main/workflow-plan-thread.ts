/** The thread of one plan: plans a text and ends. */
import { parentPort, workerData } from "node:worker_threads";
import type { PlanTextTask } from "../api/index.ts";
import { assert, Fault } from "../base/index.ts";
import type { PlansView } from "../contract/index.ts";
import { planText } from "./plan-text.ts";

/** Outcome of a plan. */
export type PlanTextAnswer =
  | { readonly found: PlansView }
  | { readonly fault: ConstructorParameters<typeof Fault>[0] };

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
port.postMessage(await answer(workerData as PlanTextTask));

async function answer(task: PlanTextTask): Promise<PlanTextAnswer> {
  try {
    return { found: await planText(task) };
  } catch (error) {
    const first = error instanceof AggregateError ? error.errors[0] : error;
    // Anything else ends the thread, and is told as a defect.
    if (!(first instanceof Fault)) throw error;
    const { kind, code, what, why, remedy } = first;
    return { fault: { kind, code, what, why, remedy } };
  }
}
