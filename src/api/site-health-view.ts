/** Health of a site in responses. */
import type { SiteView } from "../contract/index.ts";
import type { OfKind, WaitCause } from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";

type Trouble = OfKind<WaitCause, "siteSetAside" | "siteOnTrial">;

/** The field of a site; none where it takes as many jobs as ever. */
export function healthView(trouble: Trouble | undefined): Pick<SiteView, "health"> {
  if (trouble === undefined) return {};
  if (trouble.kind === "siteOnTrial") {
    const { most, endedWell, needed } = trouble;
    return { health: { state: "onTrial", most, endedWell, needed } };
  }
  const { sinceMs, quick: quickFailures, ended, probeAtMs } = trouble;
  const instants = { since: isoInstant(sinceMs), nextTest: isoInstant(probeAtMs) };
  return { health: { state: "setAside", ...instants, quickFailures, ended } };
}
