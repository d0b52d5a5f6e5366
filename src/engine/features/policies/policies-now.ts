/**
 * The usage policies that hold and those that will, and who enforces them.
 */
import { type EnforcementObstacle, type EnforcementRules, enforcementRulesOf } from "../../../model/index.ts";
import { sharesAt } from "../../state/enforced-site.ts";
import { type PolicyVersion, versionAt } from "../../state/policy-book.ts";
import type { Projection } from "../../state/projection.ts";
import { obstaclesAt } from "./obstacles.ts";

/** Enforcer of the policies at a site. */
export interface EnforcerView {
  readonly site: string;
  readonly rules: EnforcementRules;
  readonly isPaused: boolean;
  /** Policy version in force; null where no policy gives anything at the site. */
  readonly version: number | null;
  /** Obstacles to acting as the policies require. */
  readonly obstacles?: readonly EnforcementObstacle[];
}

/** The policies of an instant. */
export interface PoliciesNow {
  readonly now: PolicyVersion | null;
  readonly coming: readonly PolicyVersion[];
  readonly enforcers: readonly EnforcerView[];
}

/** Policies in force at an instant, and later versions. */
export function policiesNow(projection: Projection, _: undefined, nowMs: number): PoliciesNow {
  const { policies, sites } = projection;
  const now = versionAt(policies, nowMs) ?? null;
  const enforcers = [...sites.values()].map((site) => ({
    site: site.name,
    rules: enforcementRulesOf(site.spec),
    isPaused: site.enforcer.isPaused,
    version: sharesAt(projection, site.name, nowMs) === undefined ? null : (now?.version ?? null),
    obstacles: obstaclesAt(projection, site, nowMs),
  }));
  const coming = policies.versions.filter(({ effectiveFromMs }) => effectiveFromMs > nowMs);
  return { now, coming, enforcers };
}
