/** Number of jobs of one kind that could start at once at the sites that match. */
import type { MatchedJob } from "../../match/index.ts";
import type { Projection } from "../state/projection.ts";
import { matchesThere } from "./match-questions.ts";
import { factsOfSite } from "./site-facts.ts";

/** Free places for copies of a job; 0 where no matching site has free processors. */
export function freePlaces(projection: Projection, job: MatchedJob, nowMs: number): number {
  const { matches } = matchesThere(projection, job, nowMs);
  const { procs } = job.description;
  return matches.reduce((sum, { name }) => {
    const site = projection.sites.get(name);
    const { freeProcs = 0 } = site === undefined ? {} : factsOfSite(site, nowMs);
    return sum + Math.floor(freeProcs / procs);
  }, 0);
}
