/**
 * The thread of trials: tries slots on copies of queues, one question after the other.
 */
import { parentPort } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { machineFrom, type TriedReservations, tryReservations } from "../../queue/index.ts";
import type { AskedTrial, MadeTrial } from "./protocol.ts";

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
port.on("message", (asked: AskedTrial) => {
  port.postMessage({ id: asked.id, outcome: outcomeOf(asked) } satisfies MadeTrial);
});

function outcomeOf({
  discipline,
  saved,
  present,
  shape,
  startsMs,
  weights,
}: AskedTrial): TriedReservations | undefined {
  const rules = { discipline };
  try {
    const tried = { machine: machineFrom(saved, rules), saved, rules, present };
    return tryReservations(tried, shape, startsMs, weights);
  } catch {
    // Whoever asked tries it himself, and tells what is wrong.
    return undefined;
  }
}
