/** True if another site remains for a job that its site could not start (rule EN-187). */
import { hasRequirements } from "../match/index.ts";
import type { JobRecord } from "../model/index.ts";
import { jobAccessOf } from "./site-selection/access-views.ts";
import { readyAt } from "./site-selection/choose-site.ts";
import { matchedSites } from "./site-selection/matched-sites.ts";
import { inputDataAt } from "./state/input-data.ts";
import type { Projection } from "./state/projection.ts";
import { isOpen, isUsable } from "./state/site-state.ts";

/** True if an open site that has not failed the job is large enough for it, and matches. */
export function isAnotherLeft(projection: Projection, job: JobRecord, nowMs: number): boolean {
  const failed = [...(job.retried?.at ?? []), job.site];
  const others = [...projection.sites.values()].filter(
    (site) => !failed.includes(site.name) && isOpen(site) && isUsable(site, job.description),
  );
  if (others.length === 0 || !hasRequirements(job.description)) return others.length > 0;
  const matching = matchedSites({
    ...{ job, sites: others, nowMs },
    startAt: (site) => readyAt({ projection, trials: new Map(), nowMs }, site, job),
    dataAt: (site) => inputDataAt(projection, site, job.description),
    accessAt: (site) => jobAccessOf(projection, site, nowMs),
  });
  return matching.length > 0;
}
