/**
 * Which starts of a slot are priced where there are more than can be.
 *
 * Beside a queue of n jobs there are about n possible starts, and to price one the queue is played, which
 * takes as long as it is: the whole list takes n². So of a long list the earliest half of what can be priced
 * is kept, and as many of the others, evenly, the last among them, which comes after the whole queue and
 * delays nobody. Those that are kept have the prices that they have in the whole list.
 */

/** Most plays × waiting jobs for one list: about a second of work. */
const MOST_PLAYED = 4_000_000;
const FEWEST_STARTS = 48;

/** Starts that are priced, ascending, and how many are not. */
export interface ThinnedStarts {
  readonly startsMs: Float64Array;
  readonly leftOut: number;
}

/** Selects the starts that are priced, from these ascending ones, beside this many waiting jobs. */
export function thinnedStarts(startsMs: Float64Array, waiting: number): ThinnedStarts {
  const most = Math.max(FEWEST_STARTS, Math.floor(MOST_PLAYED / Math.max(1, waiting)));
  if (startsMs.length <= most) return { startsMs, leftOut: 0 };
  const earliest = most >> 1;
  const others = most - earliest;
  const rest = startsMs.length - earliest;
  const kept = Float64Array.from({ length: most }, (_, at) =>
    at < earliest ? startsMs[at] : startsMs[earliest + Math.ceil(((at - earliest + 1) * rest) / others) - 1],
  );
  return { startsMs: kept, leftOut: startsMs.length - most };
}
