/** Obstacles that keep a site's enforcer from acting as its policies require. */
import { type EnforcementObstacle, enforcementRulesOf, isForeign, isOnJobs } from "../../../model/index.ts";
import { grantedAt, sharesAt } from "../../state/enforced-site.ts";
import { budgetFreeAtMs } from "../../state/enforcer.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { decisionAt } from "./decide-enforcement.ts";

/** All that keeps it now; none where it acts, or has nothing to do or to act with. */
export function obstaclesAt(
  state: ReservedState,
  site: SiteState,
  nowMs: number,
): readonly EnforcementObstacle[] {
  const { enforcer, spec, observation, name } = site;
  const hasGrant = [...grantedAt(site)].some(isOnJobs);
  if (enforcer.isPaused || !hasGrant || sharesAt(state, name, nowMs) === undefined) return [];
  const { actionsPerHour, suspendedPpm } = enforcementRulesOf(spec);
  const obstacles: EnforcementObstacle[] = [];
  if (isForeign(spec) && observation.trouble !== null)
    obstacles.push({ kind: "siteAway", why: observation.trouble });
  const freeAtMs = budgetFreeAtMs(enforcer, actionsPerHour, nowMs);
  if (freeAtMs !== null) obstacles.push({ kind: "budget", actionsPerHour, untilMs: freeAtMs });
  for (const [verb, untilMs] of enforcer.refusals.rights) {
    if (untilMs > nowMs) obstacles.push({ kind: "noRight", verb, untilMs });
  }
  const isSeen = !isForeign(spec) || (observation.seenAtMs !== null && observation.trouble === null);
  const leftOut = isSeen ? decisionAt(state, site, nowMs)?.leftOut : undefined;
  if (leftOut?.some(({ budget }) => budget === "suspended") === true) {
    obstacles.push({ kind: "suspendedShare", sharePpm: suspendedPpm });
  }
  return obstacles;
}
