/** The thread of one island of the search: plans until its end, or until it is asked to stop. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../base/index.ts";
import {
  type FoundPlans,
  type Instance,
  type PlanningProgress,
  type PlanningQuestion,
  planningBy,
} from "../plan/index.ts";

/** Work of a thread. */
export interface IslandOrder {
  readonly instance: Instance;
  readonly question: PlanningQuestion;
  /** One Int32, not 0 once the search is to stop with the best so far. */
  readonly stop: SharedArrayBuffer;
}

/** What a thread says. */
export type IslandAnswer = { readonly progress: PlanningProgress } | { readonly found: FoundPlans };

const TOLD_EVERY_MS = 100;

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
const { instance, question, stop } = workerData as IslandOrder;
const flag = new Int32Array(stop);
const planning = planningBy("search", instance, question);
let step = planning.next();
let toldAt = performance.now();
while (step.done !== true) {
  if (performance.now() - toldAt > TOLD_EVERY_MS) {
    toldAt = performance.now();
    port.postMessage({ progress: step.value } satisfies IslandAnswer);
  }
  step = planning.next(Atomics.load(flag, 0) !== 0);
}
port.postMessage({ found: step.value } satisfies IslandAnswer);
