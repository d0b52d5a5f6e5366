/**
 * Lists show what their reader may see, as if there were nothing else.
 */
import type { ObservedJob } from "../engine/index.ts";
import { isWithin } from "../model/index.ts";

/** The question, narrowed to what the caller may see; undefined where nothing of it is left. */
export function seenOf<Query extends ObservedJob>(
  query: Query,
  observation: ObservedJob | undefined,
): Query | undefined {
  if (observation === undefined) return undefined;
  const { owner, consumer, site } = query;
  if (observation.owner !== undefined && owner !== undefined && owner !== observation.owner) return undefined;
  if (observation.site !== undefined && site !== undefined && site !== observation.site) return undefined;
  if (observation.consumer === undefined || consumer === undefined) return { ...query, ...observation };
  if (isWithin(consumer, observation.consumer)) return query;
  return isWithin(observation.consumer, consumer) ? { ...query, ...observation } : undefined;
}
