/**
 * Improves rates by moving bandwidth from one session to another while the sum of utilities grows: all that
 * the bounds of both allow, or a part of it down to a thousandth. Cost: O(sessions²) a round.
 */
import type { Session } from "./session.ts";
import { isConcave, utilityOf } from "./utility.ts";

/** Maximum number of sessions: for more, the genetic algorithm alone comes close to the optimum. */
const MOST_SESSIONS = 16;
const MOST_ROUNDS = 20;
const PARTS = [1, 1 / 2, 1 / 4, 1 / 10, 1 / 30, 1 / 100, 1 / 1000];

interface Moves {
  readonly sessions: readonly Session[];
  readonly rates: Float64Array;
}

/** Changes rates within their bounds; their sum stays. Concave utilities are left as they are. */
export function polishRates(sessions: readonly Session[], rates: Float64Array): void {
  if (sessions.length > MOST_SESSIONS || sessions.every(({ utility }) => isConcave(utility))) return;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let isBetter = false;
    for (let from = 0; from < rates.length; from++) {
      for (let to = 0; to < rates.length; to++) {
        if (from !== to) isBetter = move({ sessions, rates }, from, to) || isBetter;
      }
    }
    if (!isBetter) return;
  }
}

/** Moves the amount with the largest gain; false if there is no gain. */
function move({ sessions, rates }: Moves, from: number, to: number): boolean {
  const [giver, taker] = [sessions[from], sessions[to]];
  const most = Math.min(rates[from] - giver.minBytesPerSec, taker.maxBytesPerSec - rates[to]);
  if (most <= 0) return false;
  const sumAfter = (amount: number) =>
    utilityOf(giver.utility, rates[from] - amount) + utilityOf(taker.utility, rates[to] + amount);
  let [amount, sum] = [0, sumAfter(0)];
  const least = 1e-9 * Math.max(1, Math.abs(sum));
  for (const part of PARTS) {
    const next = sumAfter(most * part);
    if (next > sum + least) [amount, sum] = [most * part, next];
  }
  rates[from] -= amount;
  rates[to] += amount;
  return amount > 0;
}
