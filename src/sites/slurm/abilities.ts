/**
 * What the adapter to Slurm can do at a site as it is configured.
 */
import type { SlurmSiteSpec } from "../../model/index.ts";
import { mayEnforce, SITE_ABILITIES, type SiteAbility } from "../../runtime/index.ts";

const LOOKING: readonly SiteAbility[] = ["snapshot", "history"];

/**
 * All of it; where nothing is to be changed, looking alone. Enforcing is granted by itself, whatever is
 * granted for jobs of ours; where something was done before (`hasEnforced`) it can be given back.
 */
export function slurmAbilities(
  { readOnly, enforcement }: Pick<SlurmSiteSpec, "readOnly" | "enforcement">,
  hasEnforced: boolean,
): ReadonlySet<SiteAbility> {
  const abilities: readonly SiteAbility[] = readOnly ? LOOKING : SITE_ABILITIES;
  const others = abilities.filter((ability) => ability !== "enforce");
  return new Set(hasEnforced || mayEnforce(enforcement) ? [...others, "enforce"] : others);
}
