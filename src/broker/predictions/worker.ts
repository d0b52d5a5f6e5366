/**
 * The thread of predictions: does one task after the other, and answers each.
 *
 * Learning a cluster's past takes many seconds of a processor. Where that is wanted for handing jobs over at
 * the same time, the thread steps back: with a nice value of 5 it has a third of what others get.
 */
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { assert, messageOf } from "../../base/index.ts";
import { createOracle } from "./oracle.ts";
import type { Answered, Asked } from "./protocol.ts";

const BEHIND = 5;
const LAST = 19;

// On Linux a nice value is a thread's; elsewhere it would be the whole broker's.
if (process.platform === "linux") setPriority(Math.min(LAST, getPriority() + BEHIND));
const port = parentPort;
assert(port !== null, "this runs in a worker thread");
const oracle = createOracle();
port.on("message", (asked: Asked) => {
  void oracle.carryOut(asked).then(
    (value) => port.postMessage({ id: asked.id, ok: true, value } satisfies Answered),
    (error: unknown) => {
      const why = messageOf(error);
      const fault = {
        kind: "failed",
        code: "predictionFailed",
        what: `a prediction failed (${asked.kind})`,
        why,
        remedy: "nothing else is affected; if it happens again, please report it",
      } as const;
      port.postMessage({ id: asked.id, ok: false, fault } satisfies Answered);
    },
  );
});
