/**
 * Whether the policies of a site would honour a job now, later, or never (rule EN-60).
 */
import { isForeign } from "../../model/index.ts";
import { type PolicyRequest, type PolicyVerdict, policyVerdict } from "../../policy/index.ts";
import type { ReservedState } from "../reserve/reserved.ts";
import type { SiteState } from "../site-state.ts";
import { sharesAt } from "./enforced-site.ts";
import { enforcedView } from "./enforced-view.ts";
import { foreignView } from "./foreign-view.ts";

/** Null where no policy concerns the site. */
export function policyVerdictAt(
  state: ReservedState,
  site: SiteState,
  request: PolicyRequest,
  nowMs: number,
): PolicyVerdict | null {
  const shares = sharesAt(state, site.name, nowMs);
  if (shares === undefined) return null;
  const view = (isForeign(site.spec) ? foreignView : enforcedView)(state, site, shares, nowMs);
  return policyVerdict(view, request, nowMs);
}

/** The verdict in words. */
export function policyVerdictText({ when, because }: PolicyVerdict): string {
  if (because === null) return "the policies would let it go now";
  const whose = because.level ?? "the site";
  switch (because.limit) {
    case "noPolicy":
      return `no policy gives ${whose} anything there`;
    case "burst":
      return `the burst limit of ${whose} ${when === "never" ? "is smaller than it" : "is in use"}`;
    case "epoch":
      return `${whose} has used its share of the epoch`;
    case "capacity":
      return "the site is smaller than it";
    case "free":
      return "the policies would let it go when there is room";
  }
}
