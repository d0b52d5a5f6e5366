/** Abilities of a simulated site: the verbs of the site machine, and signals if programs run. */
import type { SimulatedSiteSpec } from "../../model/index.ts";
import { mayEnforce, type SiteAbility } from "../../runtime/index.ts";

/**
 * Abilities of a site: no priorities, no requeue of our jobs, no accounting. With `hasEnforced` an
 * enforcer's earlier orders can be undone without a grant.
 */
export function simulatedAbilities(
  { jobs, enforcement }: Pick<SimulatedSiteSpec, "jobs" | "enforcement">,
  hasEnforced: boolean,
): ReadonlySet<SiteAbility> {
  const abilities = new Set<SiteAbility>(["submit", "suspend", "reserve"]);
  if (jobs === "run") abilities.add("signal");
  if (hasEnforced || mayEnforce(enforcement)) abilities.add("enforce");
  return abilities;
}
