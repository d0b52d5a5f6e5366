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

/** The part of a site's ad about who may use it, as a job's organisation sees it. */
export interface JobAccess extends Pick<SiteAccess, "accessRules"> {
  /** Free processors that policies leave to an organisation; undefined where they do not name it. */
  readonly freeProcsOf: (vo: string) => number | undefined;
  /**
   * Until the shares of an organisation admit a job of one processor, in ms, infinite for never; undefined
   * where no policy names it.
   */
  readonly shareWaitMsOf: (vo: string) => number | undefined;
}

/**
 * Who may use a site at an instant, for jobs: equivalent to {@link accessOf}; for speed, the organisations
 * of jobs alone are looked at, each once in an instant.
 */
export function jobAccessOf(projection: Projection, site: SiteState, nowMs: number): JobAccess {
  const { enforcer, spec } = site;
  const shares = sharesAt(projection, site.name, nowMs);
  const before = made.get(enforcer);
  const isSame = before?.version === enforcer.version && before.atMs === nowMs;
  if (isSame && before.shares === shares && before.spec === spec) return before.access;
  const access = madeAccess(projection, site, nowMs);
  made.set(enforcer, { version: enforcer.version, atMs: nowMs, shares, spec, access });
  return access;
}

/** Access of each site as made last: the jobs of one decision share it. */
const made = new WeakMap<
  SiteState["enforcer"],
  {
    readonly version: number;
    readonly atMs: number;
    readonly shares: ReturnType<typeof sharesAt>;
    readonly spec: SiteState["spec"];
    readonly access: JobAccess;
  }
>();

function madeAccess(projection: Projection, site: SiteState, nowMs: number): JobAccess {
  const accessRules = accessRulesOf(projection, site, nowMs);
  if (accessRules === undefined) return { freeProcsOf: () => undefined, shareWaitMsOf: () => undefined };
  const seen = once(() => sharedLevels(projection, site, nowMs));
  const waits = new Map<string, number>();
  const levelOf = (vo: string) => seen()?.levels.find(({ consumer }) => consumer === vo);
  return {
    accessRules,
    freeProcsOf: (vo) => levelOf(vo)?.freeProcs,
    shareWaitMsOf: (vo) => {
      const levels = seen();
      if (levels === undefined || levelOf(vo) === undefined) return undefined;
      const atMs = waits.get(vo) ?? levels.admittedAtMs(vo, 1) ?? Number.POSITIVE_INFINITY;
      waits.set(vo, atMs);
      return atMs - nowMs;
    },
  };
}

function once<Made>(make: () => Made): () => Made {
  let known: { readonly it: Made } | undefined;
  return () => {
    known ??= { it: make() };
    return known.it;
  };
}

/** Who may use a site at an instant, with a view of each organisation; empty where nothing restricts it. */
export function accessOf(projection: Projection, site: SiteState, nowMs: number): SiteAccess {
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

/** Share that the policies of a site leave to each organisation that they name. */
function organisationViews(
  projection: Projection,
  site: SiteState,
  nowMs: number,
): readonly OrganisationView[] {
  const seen = sharedLevels(projection, site, nowMs);
  if (seen === undefined) return [];
  return seen.levels.map(({ consumer, allowed, freeProcs, jobsRunning, jobsWaiting }) => {
    const accessRule = `${allowed > 0 ? "" : "DENY:"}${ruleOf(consumer)}`;
    const counts = { freeProcs, runningJobs: jobsRunning, waitingJobs: jobsWaiting };
    const oneMs = seen.admittedAtMs(consumer, 1);
    const allMs = allowed > 0 ? seen.admittedAtMs(consumer, allowed) : null;
    return {
      ...{ vo: consumer, ...counts, accessRule },
      ...(oneMs === null ? {} : { shareWaitMs: oneMs - nowMs }),
      ...(allMs === null ? {} : { worstShareWaitMs: allMs - nowMs }),
    };
  });
}

/** The organisations that the policies of a site name, with their processors; undefined without policies. */
function sharedLevels(projection: Projection, site: SiteState, nowMs: number) {
  const shared = sharedSiteAt(projection, site, nowMs);
  if (shared === undefined) return undefined;
  const { levels, capacity, free } = usageAt(projection, site, nowMs);
  return {
    levels: levels.flatMap(({ resource, consumer, burstPpm, inUse, jobsRunning, jobsWaiting }) => {
      if (resource !== "cpu" || consumer !== voOf(consumer)) return [];
      const allowed = mulDiv(burstPpm, capacity.cpu, 1_000_000, "down");
      const freeProcs = Math.max(0, Math.min(free.cpu, allowed - inUse));
      return [{ consumer, allowed, freeProcs, jobsRunning, jobsWaiting }];
    }),
    admittedAtMs: (consumer: string, procs: number) => admittedAtMs(shared, { consumer, procs }, nowMs),
  };
}
