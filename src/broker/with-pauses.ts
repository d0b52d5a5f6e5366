/**
 * Long work in the broker's thread, bit by bit, so that others are answered meanwhile (rule BR-63).
 */
import { setImmediate } from "node:timers/promises";

/** What waits for longer than this is noticed by nobody. */
const LONGEST_STRETCH_MS = 10;

/**
 * Does it, and lets whatever else is to be done come between two steps where it has taken a while.
 *
 * @param answer finds out elsewhere what a step asks for; the next one begins with it
 */
export async function withPauses<Value, Asked = never, Told = never>(
  steps: Generator<Asked | undefined, Value, Told | undefined>,
  answer?: (asked: Asked) => Promise<Told | undefined>,
): Promise<Value> {
  let since = performance.now();
  let told: Told | undefined;
  for (;;) {
    const step: IteratorResult<Asked | undefined, Value> = steps.next(told);
    if (step.done === true) return step.value;
    told = step.value === undefined ? undefined : await answer?.(step.value);
    if (step.value !== undefined) since = performance.now();
    if (performance.now() - since < LONGEST_STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
