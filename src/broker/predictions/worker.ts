/**
 * The thread of predictions: does one task after the other, and answers each.
 */
import { parentPort } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { createOracle } from "./oracle.ts";
import type { Answered, Asked } from "./protocol.ts";

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
const oracle = createOracle();
port.on("message", (asked: Asked) => {
  void oracle.carryOut(asked).then(
    (value) => port.postMessage({ id: asked.id, ok: true, value } satisfies Answered),
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const fault = {
        kind: "failed",
        code: "predictionFailed",
        what: `a prediction failed (${asked.kind})`,
        why,
        remedy: "everything else goes on; if it happens again, please tell of it",
      } as const;
      port.postMessage({ id: asked.id, ok: false, fault } satisfies Answered);
    },
  );
});
