/**
 * Delay costs that jobs declare: whether they may, and what those that wait have declared (rule EN-85).
 */
import { type DeclaredCosts, declaredBeyond, delayBudgetShortage } from "../../../market/index.ts";
import {
  isWithin,
  type JobDescription,
  type JobRecord,
  type Refusal,
  reservationRulesOf,
} from "../../../model/index.ts";
import type { NamedQueue } from "../../../queue/index.ts";
import { isUsable, type SiteState } from "../../state/site-state.ts";

type OverBudget = Extract<Refusal, { kind: "delayCostOverBudget" }>;

/** Notes what a living job has declared. */
export function noteDeclared(declared: Map<string, number>, { id, description }: JobRecord): void {
  const { delayCostSuPerHour } = description;
  if (delayCostSuPerHour !== undefined) declared.set(id, delayCostSuPerHour);
}

/** w of the jobs in a queue that have declared one, by handle. */
export function declaredIn(
  { declared }: { readonly declared: ReadonlyMap<string, number> },
  queue: NamedQueue,
): DeclaredCosts {
  const inQueue = new Map<number, number>();
  for (const [id, cost] of declared) {
    const handle = queue.handleOf.get(id);
    if (handle !== undefined) inQueue.set(handle, cost);
  }
  return inQueue;
}

/**
 * The refusal of the delay cost that a job declares at a site; undefined where it may declare it.
 *
 * @param but id of the job itself where it is in `jobs`: its old declaration is not counted
 */
export function whyNotDeclare(
  jobs: ReadonlyMap<string, JobRecord>,
  site: SiteState,
  { description, consumer }: Pick<JobRecord, "description" | "consumer">,
  but?: string,
): OverBudget | undefined {
  const { delayCostSuPerHour: declaredSuPerHour, procs } = description;
  const beyondSuPerHour = beyondOf(description);
  if (declaredSuPerHour === undefined || beyondSuPerHour === 0) return undefined;
  const { delayBudgets = {} } = reservationRulesOf(site.spec);
  const waiting = [...jobs.values()].filter((job) => job.id !== but && waitsFor(job, site));
  const usedBy = (level: string): number =>
    waiting
      .filter((job) => isWithin(job.consumer, level))
      .reduce((sum, job) => sum + beyondOf(job.description), 0);
  const short = delayBudgetShortage(delayBudgets, { consumer, beyondSuPerHour }, usedBy);
  if (short === undefined) return undefined;
  return { kind: "delayCostOverBudget", site: site.name, declaredSuPerHour, procs, ...short };
}

/**
 * True if a job's declaration counts at a site; a job without a site yet counts at every site that it may
 * use.
 */
function waitsFor(job: JobRecord, site: SiteState): boolean {
  const { state, description } = job;
  const isWaiting = job.startDecidedAtMs === null && state !== "SUSPENDED" && state !== "RUNNING";
  if (!isWaiting || beyondOf(description) === 0) return false;
  return job.site === null ? isUsable(site, description) : job.site === site.name;
}

/**
 * The part of a job's declared delay cost that counts against budgets; 0 in a reservation, where no slot can
 * delay the job.
 */
function beyondOf({ delayCostSuPerHour, procs, reservation }: JobDescription): number {
  if (delayCostSuPerHour === undefined || reservation !== undefined) return 0;
  return declaredBeyond(delayCostSuPerHour, procs);
}
