/**
 * What the adapter to Slurm can do at a site as it is configured.
 */
import type { SlurmSiteSpec } from "../../model/index.ts";
import { SITE_ABILITIES, type SiteAbility } from "../../runtime/index.ts";

const LOOKING: readonly SiteAbility[] = ["snapshot", "history"];

/** All of it; where nothing is to be changed, looking alone. */
export function slurmAbilities({ readOnly }: Pick<SlurmSiteSpec, "readOnly">): ReadonlySet<SiteAbility> {
  return new Set(readOnly ? LOOKING : SITE_ABILITIES);
}
