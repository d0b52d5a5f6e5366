/**
 * Which jobs reserve, and with which α: drawn in order of submission, two draws a job whatever the rules.
 *
 * So the jobs that reserve at one share reserve at every larger one, and another α changes no other draw.
 */
import { createRandom, drawFraction } from "../../base/index.ts";
import type { ReservingRules } from "../../model/index.ts";

const MILLION = 1_000_000;

/** A draw for each job, in order of submission: its α in millionths, or undefined for a queued job. */
export function drawReserving(
  { sharePpm, alphaPpm }: ReservingRules,
  seed: number,
): () => number | undefined {
  const random = createRandom(seed);
  return () => {
    const reserves = drawFraction(random) * MILLION < sharePpm;
    const own = Math.floor(drawFraction(random) * (MILLION + 1));
    if (!reserves) return undefined;
    return alphaPpm === "random" ? own : alphaPpm;
  };
}
