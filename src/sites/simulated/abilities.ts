/**
 * What a simulated site can do: the verbs of the site machine, and signals to programs where any run.
 */
import type { SimulatedSiteSpec } from "../../model/index.ts";
import { mayEnforce, type SiteAbility } from "../../runtime/index.ts";

/**
 * It has no priorities, requeues nothing of ours, shows no more than its queue, and keeps no accounting. What
 * an enforcer did before (`hasEnforced`) can be given back.
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
