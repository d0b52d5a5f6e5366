/** Sites that a job cannot go to: too small, closed, or not fulfilling its requirements (rule EN-193). */
import { isReadOnly, isWithinSite, type JobRecord } from "../../model/index.ts";
import type { KeptFrom } from "../feature.ts";
import type { Projection } from "../state/projection.ts";
import { shownShortages } from "../state/queue-fit.ts";
import { isLargeEnough, isOpen, type SiteState } from "../state/site-state.ts";
import { unmatchedAt } from "./match-questions.ts";

/** Obstacles at these sites for a job without a reservation: their state and settings against its request. */
export function keptFromSites(
  projection: Projection,
  job: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
): readonly KeptFrom[] {
  if (job.description.reservation !== undefined) return closedSites(sites);
  const usable = sites.filter((site) => isLargeEnough(site, job.description));
  const others = sites.filter((site) => !usable.includes(site));
  const small = namesOf(others.filter(({ spec }) => !isWithinSite(spec, job.description)));
  const tooSmall: KeptFrom = {
    ...{ sites: small, cause: { kind: "tooSmall", sites: small }, by: "description" },
  };
  return [
    ...unmatchedAt(projection, { sites: usable, job }, nowMs),
    ...(small.length === 0 ? [] : [tooSmall]),
    ...withoutQueue(others, job),
    ...closedSites(usable),
  ];
}

/** Sites that are large enough for a job as a whole, but have no queue that is. */
function withoutQueue(sites: readonly SiteState[], { description }: JobRecord): readonly KeptFrom[] {
  const queues = sites
    .filter(({ spec }) => isWithinSite(spec, description))
    .map((site) => ({ site: site.name, queues: shownShortages(site, description) }));
  if (queues.length === 0) return [];
  const cause = { kind: "fitsNoQueue", sites: queues } as const;
  return [{ sites: queues.map(({ site }) => site), cause, by: "description" }];
}

function closedSites(sites: readonly SiteState[]): readonly KeptFrom[] {
  const closed = sites.filter((site) => !isOpen(site));
  if (closed.length === 0) return [];
  const others = closed.filter(({ spec }) => !isReadOnly(spec));
  const cause = {
    kind: "noSiteOpen",
    draining: namesOf(others.filter(({ isDraining }) => isDraining)),
    away: namesOf(others.filter(({ isDraining }) => !isDraining)),
    readOnly: namesOf(closed.filter(({ spec }) => isReadOnly(spec))),
  } as const;
  return [{ sites: namesOf(closed), cause, by: "nothing" }];
}

function namesOf(sites: readonly SiteState[]): readonly string[] {
  return sites.map(({ name }) => name);
}
