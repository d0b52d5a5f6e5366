/**
 * Stops on a programming error: a failed assertion means that the code is wrong.
 *
 * Bad input is a Fault, an expected outcome a Result; neither is asserted.
 *
 * @throws Error "what must hold: …" when `condition` is false.
 */
export function assert(condition: boolean, whatMustHold: string): asserts condition {
  if (!condition) throw new Error(`what must hold: ${whatMustHold}`);
}

/** Marks the branch of an exhaustive switch that no value of the union can reach. */
export function unreachable(value: never): never {
  throw new Error(`what must hold: every case is handled; found ${JSON.stringify(value)}`);
}
