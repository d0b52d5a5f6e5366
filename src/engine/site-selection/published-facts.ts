/**
 * The facts that the ad of a site shows to users (rule EN-287).
 *
 * A site with `publish: aggregates` shows totals, and ranges over its queues; matching inside the broker
 * uses all facts.
 */
import type { SiteFacts as AdFacts } from "../../match/index.ts";
import { publishesAggregates } from "../../model/index.ts";
import type { SiteState } from "../state/site-state.ts";
import type { SurveyedQueue } from "../survey.ts";

/** The facts of a site without those that its users may not see. */
export function publishedFacts({ spec, observation }: SiteState, facts: AdFacts): AdFacts {
  if (!publishesAggregates(spec)) return facts;
  const { queue, hostName, nodeProcs, nodeMemoryBytes, nodes, ...totals } = facts;
  return { ...totals, ranges: rangesOver(observation.queues) };
}

function rangesOver(queues: readonly SurveyedQueue[]): NonNullable<AdFacts["ranges"]> {
  const kinds = queues.flatMap(({ nodeKinds = [] }) => nodeKinds.filter(({ inService }) => inService > 0));
  const limits = queues.flatMap(({ maxWallTimeMs }) => maxWallTimeMs ?? []);
  const range = (amounts: readonly number[]) => [Math.min(...amounts), Math.max(...amounts)] as const;
  return {
    ...(kinds.length === 0
      ? {}
      : {
          nodeProcs: range(kinds.map(({ procs }) => procs)),
          nodeMemoryBytes: range(kinds.map(({ memoryBytes }) => memoryBytes)),
        }),
    ...(limits.length === 0 ? {} : { maxWallTimeMs: range(limits) }),
  };
}
