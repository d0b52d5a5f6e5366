/**
 * A worker thread that simulates the variants of one order, and ends.
 */
import { sep } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { assert, Fault } from "../../base/index.ts";
import type { SimulationFailure } from "../../contract/index.ts";
import { VARIANT_FILES, type VariantsAnswer, type VariantsOrder } from "./order.ts";
import { simulateVariants } from "./simulate-variants.ts";

/** Shortest time between two messages of progress. */
const TELL_EVERY_MS = 100;

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
const order = workerData as VariantsOrder;
const post = (answer: VariantsAnswer): void => port.postMessage(answer);

let toldAtMs = 0;
const onProgress = (progress: number): void => {
  const nowMs = performance.now();
  if (nowMs - toldAtMs < TELL_EVERY_MS) return;
  toldAtMs = nowMs;
  post({ kind: "progress", progress });
};

simulateVariants(order, onProgress).then(
  (results) => post({ kind: "done", results }),
  (error: unknown) => post({ kind: "failed", failure: failureOf(error) }),
);

/** The first fault, in the words of whoever uploaded the files: without the directory of this broker. */
function failureOf(error: unknown): SimulationFailure {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Fault)) throw error;
  const { code, what, why, remedy } = first;
  return { code, what: named(what), why: named(why), remedy: named(remedy) };
}

function named(text: string): string {
  const own = order.directory + sep;
  return text.replaceAll(own + VARIANT_FILES.workload, order.workload).replaceAll(own, "");
}
