/**
 * A managed site as its enforcer sees it (rules EN-51, EN-52).
 *
 * Jobs that somebody holds or has suspended, those in reservations, those of consumers that no policy
 * names, and those that were exempted are not shown: what they use is not available.
 */
import type { JobRecord } from "../../../model/index.ts";
import type { EnforcedSite, ShareTree } from "../../../policy/index.ts";
import { capacityAt, rulesAt } from "../../state/enforced-site.ts";
import { actedWithinHour } from "../../state/enforcer.ts";
import { endOf, heldAt, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { usesOf } from "../../state/site-use.ts";
import { shownJobs } from "./shown-jobs.ts";

/** A managed site under these shares at an instant. */
export function enforcedView(
  state: ReservedState,
  site: SiteState,
  shares: ShareTree,
  nowMs: number,
): EnforcedSite {
  const { jobs, taken: running } = shownJobs(state.jobs, site, shares);
  const taken = reservedNow(state, site, nowMs);
  for (const job of running.values()) add(taken, job);
  const rules = rulesAt(site, nowMs);
  const capacity = capacityAt(site);
  return {
    capacity,
    available: {
      cpu: Math.max(0, capacity.cpu - taken.cpu),
      gpu: Math.max(0, capacity.gpu - taken.gpu),
      memory: Math.max(0, capacity.memory - taken.memory),
    },
    jobs: [...jobs.values()],
    shares,
    uses: usesOf(site.enforcer.use),
    rules,
    actionsLeft: Math.max(0, rules.actionsPerHour - actedWithinHour(site.enforcer, nowMs)),
  };
}

function reservedNow({ reserved }: ReservedState, { name }: SiteState, nowMs: number) {
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  for (const record of heldAt(reserved, name)) {
    if (record.startMs > nowMs || endOf(record) <= nowMs) continue;
    taken.cpu += record.procs;
    taken.memory += record.memoryBytes;
  }
  return taken;
}

function add(taken: { cpu: number; gpu: number; memory: number }, { description }: JobRecord): void {
  taken.cpu += description.procs;
  taken.gpu += description.gpus ?? 0;
  taken.memory += description.memoryBytes ?? 0;
}
