/**
 * A worker thread of a scenario: takes one task after the other.
 */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { carryOut } from "./execute-task.ts";
import type { Task, WorkerOrder } from "./protocol.ts";

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
const order = workerData as WorkerOrder;
port.on("message", (task: Task) => {
  void carryOut(task, order, (text) => process.stderr.write(text)).then((answer) => port.postMessage(answer));
});
