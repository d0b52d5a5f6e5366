/**
 * Finds an offer or reservation by its id, or by a prefix that is unique among the newest. Those that the
 * caller may not see do not count: they are answered as if they did not exist.
 */
import { jobsWithin } from "../engine/index.ts";
import type { ReservationRecord } from "../model/index.ts";
import type { Looking } from "./find-job.ts";
import { whoOf } from "./identity.ts";
import { ProblemError, refusalProblem } from "./problem.ts";

/** Number of the newest reservations among which a prefix is searched. */
const NEWEST = 1000;
const CANDIDATES_SHOWN = 5;

/** The reservation with the id or unique prefix `given`, among those to which the caller may do `action`. */
export async function findReservation(
  { brokerApi, guard, request }: Looking,
  given: string,
  action: "seeReservation" | "actOnReservation",
): Promise<ReservationRecord> {
  const exact = await brokerApi.reservation(given);
  if (exact !== undefined && guard.permits(request, action, exact)) return exact;
  const among = jobsWithin(whoOf(request), action);
  const { items } =
    among === undefined ? { items: [] } : await brokerApi.reservations({ ...among, limit: NEWEST });
  const [found, ...others] = items.filter(({ id }) => id.startsWith(given));
  if (found === undefined) throw unknownReservation(given);
  if (others.length > 0) throw ambiguous(given, [found, ...others]);
  return found;
}

/** Problem for an id that does not exist for the caller. */
export function unknownReservation(given: string): ProblemError {
  return refusalProblem({ kind: "unknownReservation", reservation: given });
}

function ambiguous(given: string, found: readonly ReservationRecord[]): ProblemError {
  const candidates = found.slice(0, CANDIDATES_SHOWN).map(({ id }) => id);
  const more = found.length > CANDIDATES_SHOWN ? " and more" : "";
  return new ProblemError({
    status: 409,
    code: "ambiguousId",
    what: `several reservation ids begin with ${given}`,
    why: `candidates: ${candidates.join(", ")}${more}`,
    remedy: "give a longer prefix",
    facts: { reservation: given, candidates },
  });
}
