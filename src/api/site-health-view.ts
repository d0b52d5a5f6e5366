/** Health of a site in responses. */
import type { SiteView } from "../contract/index.ts";
import type { NodeHealth, OfKind, WaitCause } from "../model/index.ts";
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

/** The field of a site about its nodes; none where all of them take as many jobs as ever. */
export function nodeHealthView(nodes: readonly NodeHealth[]): Pick<SiteView, "nodeHealth"> {
  if (nodes.length === 0) return {};
  return { nodeHealth: nodes.map(nodeView) };
}

function nodeView({ node, aside, endedWell }: NodeHealth): NonNullable<SiteView["nodeHealth"]>[number] {
  if (aside === null) return { node, state: "onTrial", endedWell: endedWell ?? 0 };
  const { sinceMs, quick: quickFailures, ended, probeAtMs } = aside;
  const instants = { since: isoInstant(sinceMs), nextTest: isoInstant(probeAtMs) };
  return { node, state: "setAside", ...instants, quickFailures, ended };
}
