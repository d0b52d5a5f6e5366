/** Conditions on jobs in a request. */
import type { JobConditions } from "../contract/index.ts";
import type { JobQuery } from "../runtime/index.ts";
import { instantGiven } from "./instant-given.ts";

type ConditionsOfQuery = Pick<JobQuery, "states" | "tags" | "sinceMs" | "untilMs">;

/** The conditions as the broker's views are asked. @throws ProblemError for a date that does not exist */
export function conditionsGiven<Conditions extends JobConditions>({
  state,
  tag,
  since,
  until,
  ...same
}: Conditions): Omit<Conditions, "state" | "tag" | "since" | "until"> & ConditionsOfQuery {
  return {
    ...same,
    ...(state !== undefined && { states: state }),
    ...(tag !== undefined && { tags: tag }),
    ...(since !== undefined && { sinceMs: instantGiven(since, { parameter: "since" }) }),
    ...(until !== undefined && { untilMs: instantGiven(until, { parameter: "until" }) }),
  };
}
