/**
 * Jobs of a managed site as its enforcer sees them (rule EN-52), cached between decisions.
 *
 * Equivalent to reading each record anew; for speed only records changed since the last decision are read, as
 * long as policies and site are the same.
 */
import { type JobRecord, NOT_ENFORCED } from "../../../model/index.ts";
import type { EnforcedJob, EnforcedJobState, ShareTree } from "../../../policy/index.ts";
import { effectiveState } from "../../effective-state.ts";
import { amountsOf, isInRoom, isNamed } from "../../state/enforced-site.ts";
import { policySubject } from "../../state/policy-subject.ts";
import { plannedNeedOf, type SiteState } from "../../state/site-state.ts";

/** The jobs of a site, by id. */
export interface ShownJobs {
  readonly jobs: ReadonlyMap<string, EnforcedJob>;
  /** Running jobs that the enforcer is not shown; what they use is not available to others. */
  readonly taken: ReadonlyMap<string, JobRecord>;
}

interface KeptJobs {
  readonly all: ReadonlyMap<string, JobRecord>;
  readonly spec: SiteState["spec"];
  readonly shares: ShareTree;
  readonly jobs: Map<string, EnforcedJob>;
  readonly taken: Map<string, JobRecord>;
  /** Ids of the jobs whose records have changed since. */
  readonly changed: Set<string>;
}

const keptBy = new WeakMap<SiteState["enforcer"], KeptJobs>();

/** Jobs of a site as its enforcer sees them under these shares. */
export function shownJobs(all: KeptJobs["all"], site: SiteState, shares: ShareTree): ShownJobs {
  const before = keptBy.get(site.enforcer);
  const isSame = before?.all === all && before.spec === site.spec && before.shares === shares;
  if (before === undefined || !isSame) return shownAnew(all, site, shares);
  for (const id of before.changed) show(before, site, id);
  before.changed.clear();
  return before;
}

/** The records of some jobs have changed, or are gone. */
export function noteShown({ name, enforcer }: SiteState, records: readonly JobRecord[]): void {
  const kept = keptBy.get(enforcer);
  if (kept === undefined) return;
  const { all, jobs, taken, changed } = kept;
  for (const { id, site } of records) {
    if (site === name || jobs.has(id) || taken.has(id)) changed.add(id);
  }
  // Where nobody looks any more nothing is to pile up; looking anew would be no dearer.
  if (changed.size > all.size) keptBy.delete(enforcer);
}

function shownAnew(all: KeptJobs["all"], site: SiteState, shares: ShareTree): KeptJobs {
  const { spec } = site;
  const kept: KeptJobs = { all, spec, shares, jobs: new Map(), taken: new Map(), changed: new Set() };
  for (const id of all.keys()) show(kept, site, id);
  keptBy.set(site.enforcer, kept);
  return kept;
}

function show({ all, shares, jobs, taken }: KeptJobs, site: SiteState, id: string): void {
  const job = all.get(id);
  const shown = job === undefined || job.site !== site.name ? NOTHING : shownOf(job, site, shares);
  if (shown.kind === "job") jobs.set(id, shown.job);
  else jobs.delete(id);
  if (shown.kind === "taken" && job !== undefined) taken.set(id, job);
  else taken.delete(id);
}

/** Enforcer's view of a record: a job, occupied amounts, or nothing. */
type Shown = { readonly kind: "job"; readonly job: EnforcedJob } | { readonly kind: "taken" | "nothing" };

const NOTHING: Shown = { kind: "nothing" };

function shownOf(job: JobRecord, site: SiteState, shares: ShareTree): Shown {
  if (isInRoom(job)) return { kind: "nothing" };
  const isShown = isNamed(shares, policySubject(job)) && job.enforced?.isExempt !== true;
  const standing = isShown ? standingOf(job) : undefined;
  if (standing !== undefined) return { kind: "job", job: enforcedJob(job, standing, site) };
  return { kind: effectiveState(job) === "RUNNING" ? "taken" : "nothing" };
}

/** Enforced state of a job; undefined where the enforcer has nothing to do with it now. */
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
    consumer: policySubject(job),
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
