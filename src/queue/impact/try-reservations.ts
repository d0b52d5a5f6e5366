/**
 * Effect of one more reservation of a given size on the queue, for many starts at once (rule QU-29).
 *
 * For several pools that is a copy of the machine for each start (`startsBeside`); for one there are faster
 * ways with the same outcome, for processors alone and for several resources: `conservative-procs`
 * and `conservative-vector` where jobs hold promises, `backfill-procs` and `backfill-vector` elsewhere.
 */
import { assert } from "../../base/index.ts";
import { isPlanning } from "../../model/index.ts";
import { isPlayedFast, playedQueueOf, playManyProcs } from "./backfill-procs.ts";
import { playMany } from "./backfill-vector.ts";
import { displaceProcs, isDisplacedFast } from "./conservative-procs.ts";
import { displaceMany } from "./conservative-vector.ts";
import type { ReservationShape, TriedReservations, TriedStarts } from "./outcome.ts";
import { startsBeside, type TriedMachine } from "./waiting-starts.ts";

/**
 * Tries a reservation at each of these instants.
 *
 * @param startsMs ascending, none before the machine's now
 * @param weights of the waiting jobs, in the order of `tried.present`; integers ≥ 0
 */
export function tryReservations(
  tried: TriedMachine,
  shape: ReservationShape,
  startsMs: Float64Array,
  weights: Float64Array,
): TriedReservations {
  const { machine, present } = tried;
  assert(shape.durationMs > 0 && shape.durationMs < Number.POSITIVE_INFINITY, "a reservation ends");
  const outcome: TriedReservations = {
    isPossible: new Uint8Array(startsMs.length),
    delayedJobs: new Int32Array(startsMs.length),
    weightedDelayMs: new Float64Array(startsMs.length),
  };
  const asked = { shape, startsMs, weights };
  if (machine.pools.length === 1 && isPlanning(machine.rules.discipline)) {
    const displace = isDisplacedFast(machine, shape) ? displaceProcs : displaceMany;
    displace(tried, asked, outcome);
  } else if (isPlayedFast(machine)) {
    playManyProcs(playedQueueOf(machine, present.handles), present.startMs, asked, outcome);
  } else if (machine.pools.length === 1) playMany(tried, asked, outcome);
  else for (let at = 0; at < startsMs.length; at++) tryOne(tried, asked, at, outcome);
  return outcome;
}

function tryOne(tried: TriedMachine, asked: TriedStarts, at: number, outcome: TriedReservations): void {
  const { shape, startsMs, weights } = asked;
  const starts = startsBeside(tried, { ...shape, startMs: startsMs[at] });
  if (!(starts instanceof Float64Array)) return;
  outcome.isPossible[at] = 1;
  const { startMs } = tried.present;
  for (let i = 0; i < starts.length; i++) {
    if (starts[i] <= startMs[i]) continue;
    outcome.delayedJobs[at]++;
    outcome.weightedDelayMs[at] += weights[i] * (starts[i] - startMs[i]);
  }
}
