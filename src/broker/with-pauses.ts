/**
 * Long work in the broker's thread, bit by bit, so that others are answered meanwhile (rule BR-63).
 */
import { setImmediate } from "node:timers/promises";

/** What waits for longer than this is noticed by nobody. */
const LONGEST_STRETCH_MS = 10;

/** Does it, and lets whatever else is to be done come between two steps where it has taken a while. */
export async function withPauses<Value>(steps: Generator<unknown, Value, undefined>): Promise<Value> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < LONGEST_STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
