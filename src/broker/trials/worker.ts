/**
 * The thread of trials: long work on copies of queues, one task after the other.
 */
import { parentPort } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { slotsOf } from "../../profile/index.ts";
import { leftByPlan, machineFrom, startsOfPlan, tryReservations } from "../../queue/index.ts";
import { type AskedOfThread, columnsOf, type ThreadAnswer, type TrialTask } from "./protocol.ts";

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
port.on("message", ({ id, task }: AskedOfThread) => {
  port.postMessage({ id, found: foundOf(task) } satisfies ThreadAnswer);
});

function foundOf(task: TrialTask): ThreadAnswer["found"] {
  try {
    switch (task.kind) {
      case "plan":
        return startsOfPlan(task.task);
      case "leftFree":
        return leftByPlan(task.task, task.startMs);
      case "slots":
        return columnsOf(slotsOf(task.profile));
      case "trial": {
        const { saved, present, shape, startsMs, weights } = task;
        const rules = { discipline: task.discipline };
        return tryReservations(
          { machine: machineFrom(saved, rules), saved, rules, present },
          shape,
          startsMs,
          weights,
        );
      }
      default:
        return undefined;
    }
  } catch {
    // Whoever asked finds it out himself, and tells what is wrong.
    return undefined;
  }
}
