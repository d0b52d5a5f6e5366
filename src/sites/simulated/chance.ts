/**
 * What goes wrong at a simulated site, drawn so that equal seeds go wrong equally.
 *
 * A draw depends on the site's seed, the token, how often the token was submitted, and what is drawn, and on
 * nothing else: not on the order of submissions, nor on the time.
 */
import { createRandom, drawInteger } from "../../base/index.ts";
import type { SimulatedLosses } from "../../model/index.ts";

/** What becomes of a submission. */
export interface SubmissionFate {
  /** `failed`: not accepted; `doubtful`: accepted and reported failed. */
  readonly answer: "accepted" | "failed" | "doubtful";
  /** How long after its taking effect it goes without a trace; null: never. */
  readonly vanishAfterMs: number | null;
}

const PPM = 1_000_000;
/** Vanishing takes at least long enough to be seen once, and less than a second. */
const VANISH_MS = { from: 100, to: 999 } as const;

/**
 * Draws what becomes of a submission.
 *
 * @param earlier how often this token was submitted before
 */
export function drawFate(
  losses: SimulatedLosses,
  seed: number,
  token: string,
  earlier: number,
): SubmissionFate {
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

/** 32 bits of a text (FNV-1a); the generator mixes them further. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
