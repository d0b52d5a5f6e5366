/**
 * Asserts what only a programmer's mistake can break.
 *
 * Not for bad input (a Fault) nor for expected outcomes (a Result): a failed assertion means that the
 * code is wrong, and stopping is the only honest answer.
 *
 * @throws Error "what must hold: …" when `condition` is false.
 */
export function assert(condition: boolean, whatMustHold: string): asserts condition {
  if (!condition) throw new Error(`what must hold: ${whatMustHold}`);
}

/** Marks the branch of an exhaustive switch that no value of the union can reach. */
export function unreachable(value: never): never {
  throw new Error(`what must hold: every case is handled; met ${JSON.stringify(value)}`);
}
