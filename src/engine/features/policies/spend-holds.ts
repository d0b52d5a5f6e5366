/**
 * Which holds the last actions of the hour are spent on: those without which a limit would be passed.
 */
import { mulDiv } from "../../../base/index.ts";
import { type EnforcementAction, WHOLE_SHARE } from "../../../model/index.ts";
import { type EnforcedJob, type EnforcedSite, levelsOf } from "../../../policy/index.ts";

type Hold = EnforcementAction & { readonly verb: "hold" };

/** The last part of the budget is kept for what protects a limit. */
const KEPT_PART = 4;

/**
 * The holds that the remaining budget of the hour allows. All of them, if at least a quarter of the budget
 * would be left after them; else only holds without which a limit would be exceeded, as many as are left. A
 * job that would merely start before its turn is then not held, as long as its consumer's bursts allow the
 * start.
 *
 * @param left number of actions left in the budget for holds
 */
export function affordable(view: EnforcedSite, holds: readonly Hold[], left: number): readonly Hold[] {
  if (left >= holds.length + view.rules.actionsPerHour / KEPT_PART) return holds;
  const jobs = new Map(view.jobs.map((job) => [job.id, job]));
  const bursts = burstsOf(view);
  const needed = holds.filter(({ job: id, cause }) => {
    const job = jobs.get(id);
    if (job === undefined || cause.kind !== "notYet" || bursts.hasDedicated) return true;
    return !bursts.take(job);
  });
  return needed.slice(0, Math.max(0, left));
}

/** Tracker of the processors that bursts leave. */
function burstsOf({ jobs, shares, capacity }: EnforcedSite) {
  const inUse = new Map<string, number>();
  const levels = ({ consumer }: EnforcedJob) => levelsOf(shares, "cpu", consumer);
  const add = (job: EnforcedJob): void => {
    for (const { path } of levels(job)) inUse.set(path, (inUse.get(path) ?? 0) + job.need.cpu);
  };
  for (const job of jobs) if (job.state === "running" || job.state === "queued") add(job);
  const nodes = [...(shares.nodes.get("cpu")?.values() ?? [])];
  return {
    hasDedicated: nodes.some(({ mode }) => mode === "dedicated"),
    /** Takes a job's processors if the bursts allow it; true if taken. */
    take(job: EnforcedJob): boolean {
      const fits = levels(job).every(({ path, burstShare }) => {
        const most = mulDiv(burstShare, capacity.cpu, WHOLE_SHARE, "down");
        return (inUse.get(path) ?? 0) + job.need.cpu <= most;
      });
      if (fits) add(job);
      return fits;
    },
  };
}
