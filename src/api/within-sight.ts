/** Restricts lists to what their reader may see. */
import type { ObservedJob } from "../engine/index.ts";
import { isWithin } from "../model/index.ts";

/** Query restricted to what the caller may see; undefined where nothing remains. */
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
