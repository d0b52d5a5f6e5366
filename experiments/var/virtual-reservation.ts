/**
 * Virtual advance reservation: when to submit a job so that it probably runs at a wanted instant.
 *
 * Source: [PROV] 6.1, Fig. 33, after [NBW07]. Time is gone through in steps; the instant at which a job that
 * is long enough to last until the end of the reservation is most probably started before its beginning is
 * taken, of equal ones the first. As the source, the prediction of now is taken for the whole of the time.
 */
import { probabilityOfStart, type WaitHistory } from "../../src/predict/index.ts";

const STEP_MS = 30_000;
/** Of the bounds that QBETS states. */
const CONFIDENCE = 0.95;

/** A reservation that is wanted. */
export interface WantedReservation {
  readonly procs: number;
  readonly durationMs: number;
  readonly startMs: number;
}

/** When to submit, and how probably it then starts in time. */
export interface Submission {
  readonly submitMs: number;
  /** D + (S − T₁). */
  readonly estimateMs: number;
  readonly probability: number;
}

/** The submission; now, where no instant has any probability. */
export function virtualReservation(
  history: WaitHistory,
  { procs, durationMs, startMs }: WantedReservation,
  nowMs: number,
): Submission {
  let best: Submission = { submitMs: nowMs, estimateMs: durationMs + startMs - nowMs, probability: 0 };
  for (let submitMs = nowMs; submitMs < startMs; submitMs += STEP_MS) {
    const withinMs = startMs - submitMs;
    const estimateMs = durationMs + withinMs;
    const facts = { id: "", queue: QUEUE, user: "", procs, wallTimeMs: estimateMs };
    const said = probabilityOfStart(history, facts, { withinMs, confidence: CONFIDENCE }, nowMs);
    if (said !== undefined && said.value > best.probability) {
      best = { submitMs, estimateMs, probability: said.value };
    }
  }
  return best;
}

/** All jobs of a log are in one queue here. */
export const QUEUE = "all";
