/**
 * Lists show what their reader may see, as if there were nothing else.
 */
import type { JobSight } from "../engine/index.ts";
import { isWithin } from "../model/index.ts";

/** The question, narrowed to what the caller may see; undefined where nothing of it is left. */
export function seenOf<Query extends JobSight>(query: Query, sight: JobSight | undefined): Query | undefined {
  if (sight === undefined) return undefined;
  const { owner, consumer, site } = query;
  if (sight.owner !== undefined && owner !== undefined && owner !== sight.owner) return undefined;
  if (sight.site !== undefined && site !== undefined && site !== sight.site) return undefined;
  if (sight.consumer === undefined || consumer === undefined) return { ...query, ...sight };
  if (isWithin(consumer, sight.consumer)) return query;
  return isWithin(sight.consumer, consumer) ? { ...query, ...sight } : undefined;
}
