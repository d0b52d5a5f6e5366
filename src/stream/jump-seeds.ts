/**
 * Starting points of the genetic algorithm for utilities that jump.
 *
 * If the utility of a session jumps only when it gets nearly all bandwidth that the minima leave, random
 * individuals seldom come near that rate. Therefore sessions are raised to the ends of their chords one after
 * the other, each time the one with the largest sum of utilities, and the others get exact rates.
 * Cost: O(sessions³).
 */
import { chordOf } from "./envelope.ts";
import { exactRates } from "./exact-bandwidth.ts";
import type { Session } from "./session.ts";
import { isConcave, utilityOf } from "./utility.ts";

/** Maximum number of sessions with such starting points: among more, a single jump matters little. */
const MOST_SESSIONS = 16;

interface Raised {
  readonly sessions: readonly Session[];
  readonly rates: Float64Array;
  readonly utility: number;
}

/** Rates with one raised session, with two, and so on, as long as their minima fit into the link. */
export function jumpSeeds(sessions: readonly Session[], inboundBytesPerSec: number): readonly Float64Array[] {
  if (sessions.length > MOST_SESSIONS || sessions.every(({ utility }) => isConcave(utility))) return [];
  const found: Float64Array[] = [];
  // A step that is not raised needs no more than its minimum.
  let standing = sessions.map((session) =>
    session.utility.kind === "step" ? { ...session, maxBytesPerSec: session.minBytesPerSec } : session,
  );
  for (;;) {
    const best = sessions
      .flatMap((session, at) => raised(standing, { session, at }, inboundBytesPerSec))
      .reduce<Raised | undefined>(
        (one, next) => (one && one.utility >= next.utility ? one : next),
        undefined,
      );
    if (best === undefined) return found;
    found.push(best.rates);
    standing = [...best.sessions];
  }
}

/** Rates with one more raised session; none if it is raised already, or the minima exceed the link. */
function raised(
  standing: readonly Session[],
  { session, at }: { readonly session: Session; readonly at: number },
  inboundBytesPerSec: number,
): readonly Raised[] {
  const { end } = chordOf(session);
  if (isConcave(session.utility) || standing[at].minBytesPerSec >= end) return [];
  const sessions = standing.with(at, { ...session, minBytesPerSec: end });
  const minima = sessions.reduce((sum, { minBytesPerSec }) => sum + minBytesPerSec, 0);
  if (minima > inboundBytesPerSec) return [];
  const rates = exactRates(sessions, inboundBytesPerSec);
  const utility = sessions.reduce((sum, one, index) => sum + utilityOf(one.utility, rates[index]), 0);
  return [{ sessions, rates, utility }];
}
