/**
 * Starting points of the genetic algorithm for utilities that jump.
 *
 * Where one session must have nearly all that the minima leave, so that its utility jumps, few of the drawn
 * individuals come near. So sessions are raised to the ends of their chords one after the other, each time
 * the one that gives the largest sum of utilities, and the others share the rest exactly. Cost: O(sessions³).
 */
import { chordOf } from "./envelope.ts";
import { exactRates } from "./exact-bandwidth.ts";
import type { Session } from "./session.ts";
import { isConcave, utilityOf } from "./utility.ts";

/** Most sessions for which the starting points are found: among more, a single jump matters little. */
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

/** A session raised to the end of its chord; none where it is there already, or the link has no room. */
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
