/**
 * A site's record as it now is.
 */
import { NOTHING_SOLD } from "../model/index.ts";
import type { RecordChange } from "./state/projection.ts";
import type { SiteState } from "./state/site-state.ts";

/** The change of a site's record, to what its state says; what is usual is left out. */
export function siteChange(site: SiteState): RecordChange {
  const { name, spec, order, isDraining, enforcer, score, orderedShares, sold } = site;
  const isPaused = enforcer.isPaused ? { isPaused: true } : {};
  const shares = orderedShares.length === 0 ? {} : { orderedShares };
  const its = score.kept + score.missed === 0 ? {} : { score };
  const told = sold === NOTHING_SOLD ? {} : { sold };
  return { kind: "site", record: { name, spec, order, isDraining, ...isPaused, ...its, ...shares, ...told } };
}
