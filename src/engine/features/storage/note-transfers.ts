/**
 * What is said of what passed over the links of a site (rule EN-115). It changes nothing: it is for the
 * log, and whoever verifies from it.
 */
import { accepted, type Result } from "../../../base/index.ts";
import type { Command, Refusal, StintEvent } from "../../../model/index.ts";
import type { SiteState } from "../../site-state.ts";

/** The event; none where the site has gone, or no time went by. */
export function noteTransfers(
  { sites }: { readonly sites: ReadonlyMap<string, SiteState> },
  { site, fromMs, toMs, passed }: Extract<Command, { kind: "noteTransfers" }>,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  if (!sites.has(site) || fromMs >= toMs) return accepted([]);
  return accepted([{ kind: "transfersMeasured", site, fromMs, toMs, passed, atMs: nowMs }]);
}
