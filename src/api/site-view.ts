/**
 * Sites as the API writes them.
 */
import type { ResponseTimesView, SiteView } from "../contract/index.ts";
import { inSeconds, isReadOnly } from "../model/index.ts";
import type { SiteView as DoorSite, SiteResponse } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";
import { peersThere } from "./peer-view.ts";
import { cannotAct } from "./policy-view.ts";

/** The site as JSON for people. */
export function siteView({ isDraining, seenAtMs, ...site }: DoorSite): SiteView {
  return {
    name: site.name,
    spec: inSeconds(site.spec),
    state: stateOf(site, isDraining),
    running: site.running,
    waiting: site.waiting,
    procsBusy: site.procsBusy,
    draining: isDraining,
    seenAt: seenAtMs === null ? null : isoInstant(seenAtMs),
    ...adAge(site.ad),
    trouble: site.trouble,
    ...cannotAct(site.obstacles),
    responseTimes: site.response === null ? null : responseTimesView(site.response),
    ...peersThere(site.peers),
  };
}

function adAge(ad: DoorSite["ad"]): Pick<SiteView, "adAgeSec" | "adLifetimeSec"> {
  if (ad === undefined) return {};
  return { adAgeSec: ad.ageMs === null ? null : ad.ageMs / 1000, adLifetimeSec: ad.lifetimeMs / 1000 };
}

function responseTimesView({ atMs, partition, estimated, worst }: SiteResponse): ResponseTimesView {
  return { at: isoInstant(atMs), partition, ...inSeconds({ estimated, worst }) };
}

/** State of a site; trouble comes first, since a drained site is so on purpose. */
function stateOf({ trouble, spec }: Pick<DoorSite, "trouble" | "spec">, isDraining: boolean) {
  if (trouble !== null) return "trouble";
  if (isReadOnly(spec)) return "read-only";
  return isDraining ? "draining" : "open";
}
