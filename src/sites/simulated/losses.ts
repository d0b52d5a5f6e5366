/**
 * Random losses of a simulated site, equal for equal seeds.
 *
 * A draw depends only on the site's seed, the token, the number of submissions of the token, and the kind
 * of draw: not on the order of submissions or the time.
 */
import { createRandom, drawInteger } from "../../base/index.ts";
import type { SimulatedLosses } from "../../model/index.ts";

/** Outcome of a submission. */
export interface SubmissionOutcome {
  /** `failed`: not accepted; `doubtful`: accepted and reported failed. */
  readonly answer: "accepted" | "failed" | "doubtful";
  /** Time from taking effect to vanishing, in ms; null: never. */
  readonly vanishAfterMs: number | null;
}

const PPM = 1_000_000;
/** Range of that time, in ms: long enough to appear in one survey, and less than a second. */
const VANISH_MS = { from: 100, to: 999 } as const;

/**
 * Draws the outcome of a submission.
 *
 * @param earlier number of earlier submissions of the token
 */
export function drawOutcome(
  losses: SimulatedLosses,
  seed: number,
  token: string,
  earlier: number,
): SubmissionOutcome {
  const draw = (kind: string, from: number, to: number): number =>
    drawInteger(createRandom(hashOf(`${seed} ${token} ${earlier} ${kind}`)), from, to);
  const happens = (kind: string, ppm: number): boolean => draw(kind, 0, PPM - 1) < ppm;
  if (happens("failed", losses.failedPpm)) return { answer: "failed", vanishAfterMs: null };
  const vanishes = happens("vanished", losses.vanishedPpm);
  return {
    answer: happens("doubtful", losses.doubtfulPpm) ? "doubtful" : "accepted",
    vanishAfterMs: vanishes ? draw("when", VANISH_MS.from, VANISH_MS.to) : null,
  };
}

/** Hash of a text in 32 bits (FNV-1a); the generator mixes them further. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
