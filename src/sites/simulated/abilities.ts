/**
 * What a simulated site can do: the verbs of the site machine, and signals to programs where any run.
 */
import type { SimulatedSiteSpec } from "../../model/index.ts";
import type { SiteAbility } from "../../runtime/index.ts";

/** It has no priorities, requeues nothing, shows no more than its queue, and keeps no accounting. */
export function simulatedAbilities({ jobs }: Pick<SimulatedSiteSpec, "jobs">): ReadonlySet<SiteAbility> {
  const always: readonly SiteAbility[] = ["submit", "suspend", "reserve"];
  return new Set(jobs === "run" ? [...always, "signal"] : always);
}
