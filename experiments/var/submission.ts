/**
 * When a job is submitted that is to run at a wanted instant, by the past waits of a log.
 *
 * As the source, the prediction of now is taken for the whole of the time.
 */
import { assert } from "../../src/base/index.ts";
import {
  type VirtualReservationPlan,
  virtualReservation,
  type WantedVirtualReservation,
} from "../../src/plan/index.ts";
import { probabilityOfStart, type WaitHistory } from "../../src/predict/index.ts";

/** Of the bounds that QBETS states. */
const CONFIDENCE = 0.95;

/** All jobs of a log are in one queue here. */
export const QUEUE = "all";

/** The submission; now, where no instant has any probability. No limit is too long. */
export function submissionFor(
  history: WaitHistory,
  wanted: WantedVirtualReservation,
  nowMs: number,
): VirtualReservationPlan {
  const planned = virtualReservation(wanted, nowMs, (submitMs, wallTimeMs) => {
    const facts = { id: "", queue: QUEUE, user: "", procs: wanted.procs, wallTimeMs };
    const asked = { withinMs: wanted.startMs - submitMs, confidence: CONFIDENCE };
    return probabilityOfStart(history, facts, asked, nowMs)?.value ?? 0;
  });
  assert(planned.ok, "the start is to come, and any limit is allowed");
  return planned.value;
}
