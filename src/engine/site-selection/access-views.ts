/**
 * Who may use a site, and what its usage policies leave to each organisation, as ads show it (rule EN-289).
 *
 * Access rules are those of GLUE: `VO:cms`, `VOMS:/cms/higgs`, and `DENY:` in front for a consumer that a
 * policy gives nothing, or that a ban list or an identity rule excludes. A site that publishes aggregates
 * names no excluded group or user. Without policies and identity rules nothing is said.
 */
import { mulDiv } from "../../base/index.ts";
import type { OrganisationView } from "../../match/index.ts";
import { type IdentityRules, publishesAggregates, voOf } from "../../model/index.ts";
import { admittedAtMs } from "../../policy/index.ts";
import { sharedSiteAt, usageAt } from "../features/policies/site-usage.ts";
import { sharesAt } from "../state/enforced-site.ts";
import type { Projection } from "../state/projection.ts";
import type { SiteState } from "../state/site-state.ts";

/** The part of a site's ad about who may use it. */
export interface SiteAccess {
  readonly accessRules?: readonly string[];
  readonly views?: readonly OrganisationView[];
}

/** Who may use a site at an instant; empty where nothing restricts its use. */
export function accessOf(projection: Projection, site: SiteState, nowMs: number): SiteAccess {
  const { enforcer, spec } = site;
  const shares = sharesAt(projection, site.name, nowMs);
  const before = made.get(enforcer);
  const isSame = before?.version === enforcer.version && before.atMs === nowMs;
  if (isSame && before.shares === shares && before.spec === spec) return before.access;
  const access = computedAccess(projection, site, nowMs);
  made.set(enforcer, { version: enforcer.version, atMs: nowMs, shares, spec, access });
  return access;
}

/** Access of each site as computed last: the jobs of one decision share it. */
const made = new WeakMap<
  SiteState["enforcer"],
  {
    readonly version: number;
    readonly atMs: number;
    readonly shares: ReturnType<typeof sharesAt>;
    readonly spec: SiteState["spec"];
    readonly access: SiteAccess;
  }
>();

function computedAccess(projection: Projection, site: SiteState, nowMs: number): SiteAccess {
  const accessRules = accessRulesOf(projection, site, nowMs);
  if (accessRules === undefined) return {};
  const views = organisationViews(projection, site, nowMs);
  return { accessRules, ...(views.length === 0 ? {} : { views }) };
}

/** True where policies or identity rules restrict the use of a site. */
export function isRestricted(projection: Projection, site: SiteState, nowMs: number): boolean {
  return sharesAt(projection, site.name, nowMs) !== undefined || identityRulesOf(site) !== undefined;
}

/** Access rules of a site at an instant; undefined where nothing restricts its use. */
function accessRulesOf(
  projection: Projection,
  site: SiteState,
  nowMs: number,
): readonly string[] | undefined {
  const shares = sharesAt(projection, site.name, nowMs);
  const identity = identityRulesOf(site);
  if (shares === undefined && identity === undefined) return undefined;
  const rights = new Map<string, boolean>();
  for (const nodes of shares?.nodes.values() ?? []) {
    for (const { path, policy, burstShare } of nodes.values()) {
      if (policy !== null && path !== "") rights.set(path, rights.get(path) === true || burstShare > 0);
    }
  }
  for (const { path, executable, account, pool = [] } of identity?.rules ?? []) {
    const isMapped = account !== null || pool.length > 0;
    if (path !== null && executable === null && !rights.has(path)) rights.set(path, isMapped);
  }
  for (const path of identity?.banned ?? []) rights.set(path, false);
  const isShown = ([path, isAllowed]: readonly [string, boolean]): boolean =>
    isAllowed || !path.includes("/") || !publishesAggregates(site.spec);
  return [...rights].filter(isShown).map(([path, isAllowed]) => `${isAllowed ? "" : "DENY:"}${ruleOf(path)}`);
}

function identityRulesOf({ spec }: SiteState): IdentityRules | undefined {
  const identity = spec.type === "slurm" ? spec.pilots?.identity : undefined;
  return identity === undefined || identity.mode === "none" ? undefined : identity;
}

function ruleOf(path: string): string {
  return path.includes("/") ? `VOMS:/${path}` : `VO:${path}`;
}

/** What the policies of a site leave to each organisation that they name. */
function organisationViews(
  projection: Projection,
  site: SiteState,
  nowMs: number,
): readonly OrganisationView[] {
  if (sharesAt(projection, site.name, nowMs) === undefined) return [];
  const { levels, capacity, free } = usageAt(projection, site, nowMs);
  const shared = sharedSiteAt(projection, site, nowMs);
  return levels.flatMap(({ resource, consumer, burstPpm, inUse, jobsRunning, jobsWaiting }) => {
    if (resource !== "cpu" || consumer !== voOf(consumer)) return [];
    const allowed = mulDiv(burstPpm, capacity.cpu, 1_000_000, "down");
    const freeProcs = Math.max(0, Math.min(free.cpu, allowed - inUse));
    const accessRule = `${allowed > 0 ? "" : "DENY:"}${ruleOf(consumer)}`;
    const counts = { freeProcs, runningJobs: jobsRunning, waitingJobs: jobsWaiting };
    const waitFor = (procs: number) =>
      shared === undefined ? null : admittedAtMs(shared, { consumer, procs }, nowMs);
    return [{ vo: consumer, ...counts, accessRule, ...waitsOf(waitFor, allowed, nowMs) }];
  });
}

function waitsOf(waitFor: (procs: number) => number | null, allowed: number, nowMs: number) {
  const oneMs = waitFor(1);
  const allMs = allowed > 0 ? waitFor(allowed) : null;
  return {
    ...(oneMs === null ? {} : { shareWaitMs: oneMs - nowMs }),
    ...(allMs === null ? {} : { worstShareWaitMs: allMs - nowMs }),
  };
}
