/**
 * A managed site as its enforcer sees it (rules EN-51, EN-52).
 *
 * Jobs that somebody holds or has suspended, those in reservations, those of consumers that no policy
 * names, and those that were exempted are not shown: what they use is not available.
 *
 * Equivalent to looking at each job anew; for speed what a record shows is remembered with the record,
 * which is never changed but replaced, as long as policies and site are the same.
 */
import { type JobRecord, NOT_ENFORCED } from "../../model/index.ts";
import type { EnforcedJob, EnforcedJobState, EnforcedSite, ShareTree } from "../../policy/index.ts";
import { effectiveState } from "../effective-state.ts";
import { endOf, heldAt, type ReservedState } from "../reserve/reserved.ts";
import { plannedNeedOf, type SiteState } from "../site-state.ts";
import { amountsOf, capacityAt, isInRoom, isNamed, rulesAt } from "./enforced-site.ts";
import { actedWithinHour } from "./enforcer.ts";
import { usesOf } from "./site-use.ts";

/** A managed site under these shares at an instant. */
export function enforcedView(
  state: ReservedState,
  site: SiteState,
  shares: ShareTree,
  nowMs: number,
): EnforcedSite {
  const jobs: EnforcedJob[] = [];
  const taken = reservedNow(state, site, nowMs);
  const seen = seenUnder(site, shares);
  for (const job of state.jobs.values()) {
    if (job.site !== site.name) continue;
    let shown = seen.get(job);
    if (shown === undefined) {
      shown = shownOf(job, site, shares);
      seen.set(job, shown);
    }
    if (shown.kind === "job") jobs.push(shown.job);
    else if (shown.kind === "taken") add(taken, job);
  }
  const rules = rulesAt(site, nowMs);
  const capacity = capacityAt(site);
  return {
    capacity,
    available: {
      cpu: Math.max(0, capacity.cpu - taken.cpu),
      gpu: 0,
      memory: Math.max(0, capacity.memory - taken.memory),
    },
    jobs,
    shares,
    uses: usesOf(site.enforcer.use),
    rules,
    actionsLeft: Math.max(0, rules.actionsPerHour - actedWithinHour(site.enforcer, nowMs)),
  };
}

/** What of a record an enforcer sees: a job, what it takes, or nothing. */
type Shown = { readonly kind: "job"; readonly job: EnforcedJob } | { readonly kind: "taken" | "nothing" };

interface SeenRecords {
  readonly spec: SiteState["spec"];
  readonly shares: ShareTree;
  readonly shown: WeakMap<JobRecord, Shown>;
}

const seenBy = new WeakMap<SiteState["enforcer"], SeenRecords>();

function seenUnder({ spec, enforcer }: SiteState, shares: ShareTree): SeenRecords["shown"] {
  const before = seenBy.get(enforcer);
  if (before !== undefined && before.spec === spec && before.shares === shares) return before.shown;
  const shown: SeenRecords["shown"] = new WeakMap();
  seenBy.set(enforcer, { spec, shares, shown });
  return shown;
}

function shownOf(job: JobRecord, site: SiteState, shares: ShareTree): Shown {
  if (isInRoom(job)) return { kind: "nothing" };
  const isShown = isNamed(shares, job.consumer) && job.enforced?.isExempt !== true;
  const standing = isShown ? standingOf(job) : undefined;
  if (standing !== undefined) return { kind: "job", job: enforcedJob(job, standing, site) };
  return { kind: effectiveState(job) === "RUNNING" ? "taken" : "nothing" };
}

function reservedNow({ reserved }: ReservedState, { name }: SiteState, nowMs: number) {
  const taken = { cpu: 0, memory: 0 };
  for (const record of heldAt(reserved, name)) {
    if (record.startMs > nowMs || endOf(record) <= nowMs) continue;
    taken.cpu += record.procs;
    taken.memory += record.memoryBytes;
  }
  return taken;
}

function add(taken: { cpu: number; memory: number }, { description }: JobRecord): void {
  taken.cpu += description.cpuNumber;
  taken.memory += description.memoryBytes ?? 0;
}

/** Undefined where the job is no business of the enforcer's now. */
function standingOf(job: JobRecord): EnforcedJobState | undefined {
  const { isHeld, isStopped } = job.enforced ?? NOT_ENFORCED;
  switch (effectiveState(job)) {
    case "RUNNING":
      return "running";
    case "SUSPENDED":
      return isStopped ? "suspended" : undefined;
    case "SCHEDULED":
      return isHeld ? "waiting" : "queued";
    default:
      return undefined;
  }
}

function enforcedJob(job: JobRecord, state: EnforcedJobState, { spec }: SiteState): EnforcedJob {
  const { estimateMs } = plannedNeedOf(job, spec);
  const { stops, stoppedFor } = job.enforced ?? NOT_ENFORCED;
  const begunAtMs = state === "running" ? job.startDecidedAtMs : null;
  return {
    id: job.id,
    consumer: job.consumer,
    need: amountsOf(job.description),
    state,
    order: job.order,
    begunAtMs,
    plannedEndMs: begunAtMs === null ? null : begunAtMs + estimateMs,
    estimateMs,
    stops,
    stoppedFor,
    nudged: null,
  };
}
