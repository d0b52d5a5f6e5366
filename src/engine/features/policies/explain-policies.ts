/** Wait causes from usage policies and the sites' enforcers. */
import { isForeign, type JobRecord, NOT_ENFORCED, type WaitCause } from "../../../model/index.ts";
import type { Explains } from "../../feature.ts";
import type { Projection } from "../../state/projection.ts";
import type { SiteState } from "../../state/site-state.ts";
import { decisionAt } from "./decide-enforcement.ts";
import { policyHoldThere } from "./hold-there.ts";
import { obstaclesAt } from "./obstacles.ts";
import { enforcedDenials, whyPassedBy } from "./policy-denials.ts";

export const explainPolicies: Explains = {
  keepsFrom: (projection, job, sites, nowMs) => {
    const denials = enforcedDenials(projection, sites, job, nowMs);
    if (denials.length === 0) return [];
    const cause = { kind: "policyNever", denials } as const;
    return [{ sites: denials.map(({ site }) => site), cause, by: "description" }];
  },
  passedBy: (projection, job, nowMs) => some(whyPassedBy(projection, job, nowMs)),
  outsideQueue: (projection, job, nowMs) => {
    const site = projection.sites.get(job.site ?? "");
    if (site === undefined) return [];
    return isForeign(site.spec)
      ? keptOutThere(projection, site, job, nowMs)
      : keptOutHere(projection, site, job, nowMs);
  },
  // That the site is away is told of the site.
  hindered: (projection, job, nowMs) => {
    const site = projection.sites.get(job.site ?? "");
    const obstacles = site === undefined ? [] : obstaclesAt(projection, site, nowMs);
    return obstacles.flatMap((obstacle): WaitCause[] =>
      obstacle.kind === "siteAway" || job.site === null
        ? []
        : [{ kind: "cannotEnforce", site: job.site, obstacle }],
    );
  },
};

function some(cause: WaitCause | undefined): readonly WaitCause[] {
  return cause === undefined ? [] : [cause];
}

function keptOutHere(
  projection: Projection,
  site: SiteState,
  { id, enforced = NOT_ENFORCED }: JobRecord,
  nowMs: number,
): readonly WaitCause[] {
  if (!enforced.isHeld && !enforced.isStopped) return [];
  const cause = decisionAt(projection, site, nowMs)?.kept.get(id);
  return [{ kind: "policy", site: site.name, cause: cause ?? { kind: "notYet", for: null } }];
}

/**
 * Wait cause of a job that is held by the enforcer at a foreign site, looked up by the site's id of the job.
 */
function keptOutThere(
  projection: Projection,
  { name }: SiteState,
  { siteJob }: JobRecord,
  nowMs: number,
): readonly WaitCause[] {
  const hold = siteJob === null ? undefined : policyHoldThere(projection, name, siteJob, nowMs);
  if (hold === undefined) return [];
  return [{ kind: "policy", site: name, cause: hold.cause ?? { kind: "notYet", for: null } }];
}
