/** Abilities of the Slurm adapter at a site with given settings. */
import type { SlurmSiteSpec } from "../../model/index.ts";
import { mayEnforce, SITE_ABILITIES, type SiteAbility } from "../../runtime/index.ts";

const LOOKING: readonly SiteAbility[] = ["snapshot", "history"];

/**
 * All abilities, or observation alone if the site is read-only. Enforcement is granted separately; with
 * `hasEnforced` earlier orders can be undone.
 */
export function slurmAbilities(
  { readOnly, enforcement }: Pick<SlurmSiteSpec, "readOnly" | "enforcement">,
  hasEnforced: boolean,
): ReadonlySet<SiteAbility> {
  const abilities: readonly SiteAbility[] = readOnly ? LOOKING : SITE_ABILITIES;
  const others = abilities.filter((ability) => ability !== "enforce");
  return new Set(hasEnforced || mayEnforce(enforcement) ? [...others, "enforce"] : others);
}
