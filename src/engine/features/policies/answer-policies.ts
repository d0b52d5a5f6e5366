/** Commands on usage policies and enforcers (rules EN-50, EN-52). */
import { accepted, type Result, refused } from "../../../base/index.ts";
import { type Command, isForeign, type Policy, type Refusal, type StintEvent } from "../../../model/index.ts";
import { lastVersion } from "../../state/policy-book.ts";
import { type Projection, providerSites } from "../../state/projection.ts";

type Answer = Result<readonly StintEvent[], Refusal>;
type CommandOf<Kind> = Extract<Command, { kind: Kind }>;

/** Applies policies as the next version; every provider is a site or a consumer of another policy. */
export function applyPolicies(
  projection: Projection,
  request: CommandOf<"applyPolicies">,
  nowMs: number,
): Answer {
  const { policies, onVersion, by, note, effectiveFromMs } = request;
  const isVersion = lastVersion(projection.policies);
  if (onVersion !== null && onVersion !== isVersion) {
    return refused({ kind: "policiesChanged", onVersion, isVersion });
  }
  const unknown = withoutProvider(policies, providerSites(projection));
  if (unknown !== undefined) return refused(unknown);
  const version = isVersion + 1;
  const fromMs = Math.max(nowMs, effectiveFromMs ?? nowMs);
  const event = { kind: "policiesApplied", version, policies, by, note } as const;
  return accepted([{ ...event, effectiveFromMs: fromMs, atMs: nowMs }]);
}

function withoutProvider(policies: readonly Policy[], sites: readonly string[]): Refusal | undefined {
  const consumers = new Set(policies.map(({ consumer }) => consumer));
  for (const { provider, consumer } of policies) {
    const isSite = sites.some((site) => provider === site || provider.startsWith(`${site}/`));
    if (isSite || consumers.has(provider)) continue;
    return { kind: "unknownProvider", provider, consumer, known: [...sites, ...consumers] };
  }
  return undefined;
}

/** Pauses an enforcer, or lets it continue; repeating either changes nothing. */
export function pauseOrContinue(
  { sites }: Projection,
  { kind, site, by }: CommandOf<"pauseEnforcement" | "continueEnforcement">,
  nowMs: number,
): Answer {
  const found = sites.get(site);
  if (found === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  const isPause = kind === "pauseEnforcement";
  if (found.enforcer.isPaused === isPause) return accepted([]);
  return accepted([{ kind: isPause ? "enforcementPaused" : "enforcementContinued", site, by, atMs: nowMs }]);
}

/** Reverses an enforcement action on a job; the enforcer does not act on the job afterwards. */
export function undoEnforcement(
  { jobs, sites }: Projection,
  { enforcedJob: id, by }: CommandOf<"undoEnforcement">,
  nowMs: number,
): Answer {
  const job = jobs.get(id);
  if (job === undefined) return refused({ kind: "unknownJob", job: id });
  const { enforced, site } = job;
  const spec = site === null ? undefined : sites.get(site)?.spec;
  if (site !== null && spec !== undefined && isForeign(spec))
    return refused({ kind: "notEnforced", job: id, isOver: false, cluster: site });
  if (enforced === undefined || site === null)
    return refused({ kind: "notEnforced", job: id, isOver: false });
  if (enforced.isExempt) return accepted([]);
  return accepted([{ kind: "enforcementUndone", site, job: id, by, atMs: nowMs }]);
}
