/** Verdict of a site's policies on a job: honoured now, later, or never (rule PO-21). */
import { type DispatchedJob, isForeign, policyLimitText } from "../../../model/index.ts";
import {
  type PolicyRequest,
  type PolicyVerdict,
  policyVerdict,
  type ShareTree,
  type VerdictSite,
  verdictSite,
} from "../../../policy/index.ts";
import { sharesAt } from "../../state/enforced-site.ts";
import type { Enforcer } from "../../state/enforcer.ts";
import { countedAt, type Peers } from "../../state/peer-use.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { enforcedView } from "./enforced-view.ts";
import { foreignView } from "./foreign-view.ts";

/** The part of the state that is judged. */
type WithPeers = ReservedState & { readonly peers: Peers };

/** Verdict of a site's policies on a request; null where no policy concerns the site. */
export function policyVerdictAt(
  state: WithPeers,
  site: SiteState,
  request: PolicyRequest,
  nowMs: number,
): PolicyVerdict | null {
  const shares = sharesAt(state, site.name, nowMs);
  if (shares === undefined) return null;
  const seen = seenFor(state, site, shares, nowMs);
  const coming = isForeign(site.spec) ? countedAt(state.peers, site.name, nowMs).map(requestOf) : [];
  return policyVerdict(coming.length === 0 ? seen : { ...seen, coming }, request, nowMs);
}

function requestOf({ consumer, procs, gpus, memoryBytes }: DispatchedJob): PolicyRequest {
  return { consumer, need: { cpu: procs, gpu: gpus, memory: memoryBytes } };
}

/** Cached views of sites, valid until the next event there. */
const seen = new WeakMap<Enforcer, { version: number; shares: ShareTree; atMs: number; site: VerdictSite }>();

/** Time for which an order to a foreign site is assumed to be in effect before the site shows it. */
const BELIEVED_MS = 1000;

function seenFor(state: ReservedState, site: SiteState, shares: ShareTree, nowMs: number): VerdictSite {
  const { enforcer, spec } = site;
  const before = seen.get(enforcer);
  const isFresh = !isForeign(spec) || (before !== undefined && nowMs - before.atMs < BELIEVED_MS);
  if (before?.version === enforcer.version && before.shares === shares && isFresh) return before.site;
  const view = (isForeign(spec) ? foreignView : enforcedView)(state, site, shares, nowMs);
  const made = verdictSite(view);
  seen.set(enforcer, { version: enforcer.version, shares, atMs: nowMs, site: made });
  return made;
}

/** The verdict in words. */
export function policyVerdictText({ when, because }: PolicyVerdict): string {
  if (because === null) return "the policies would let it go now";
  const { limit, level } = because;
  const whose = level ?? "the site";
  switch (limit) {
    case "burst":
      return when === "never" ? policyLimitText({ limit, level }) : `the burst limit of ${whose} is in use`;
    case "epoch":
      return `${whose} has used its share of the epoch`;
    case "noPolicy":
    case "capacity":
      return policyLimitText({ limit, level });
    case "free":
      return "the policies would let it go when there is room";
  }
}
