/** A limit over time: capacity times a share, in amounts times parts of `WHOLE_SHARE`, exact. */

/** Steps in order of time, at least one; the first also holds before it, the last for ever. */
export interface LimitSteps {
  readonly atMs: readonly number[];
  readonly values: readonly bigint[];
}

/** The index of the step that holds at an instant. */
export function stepAt({ atMs }: LimitSteps, instantMs: number): number {
  let low = 1;
  let high = atMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atMs[middle] <= instantMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The limit summed over a stretch: amounts·ms times parts of `WHOLE_SHARE`. */
export function summed(steps: LimitSteps, fromMs: number, toMs: number): bigint {
  let sum = 0n;
  let atMs = fromMs;
  for (let step = stepAt(steps, fromMs); atMs < toMs; step++) {
    const untilMs = Math.min(toMs, steps.atMs[step + 1] ?? toMs);
    sum += steps.values[step] * BigInt(untilMs - atMs);
    atMs = untilMs;
  }
  return sum;
}
