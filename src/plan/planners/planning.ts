/**
 * Common interface of planners: problem, progress, and solution, in which the chosen plan is one of a front.
 * A planner is a generator, so that whoever runs it can show progress, and stop it at any step with the best
 * so far.
 */

import type { WorkflowPart } from "../workflow/index.ts";
import { normaliser } from "./by-weight.ts";
import { makespanOf, type Placement } from "./placement.ts";
import type { Plan } from "./plan.ts";

/** Wishes about a plan. */
export interface PlanningQuestion {
  /** Weight of the cost against the makespan: 0 the fastest plan, 1 the cheapest. */
  readonly alpha: number;
  readonly seed: number;
  /** Bound of the plans (schedules, for `search`) that are evaluated; absent: what is usual. */
  readonly evaluations?: number;
  readonly deadlineMs?: number;
  readonly budgetSu?: number;
  /** Workflows that are planned as one. */
  readonly parts?: readonly PlannedPart[];
}

/** One of several workflows, with a deadline of its own. */
export interface PlannedPart extends WorkflowPart {
  readonly deadlineMs?: number;
}

/** Progress of a planner. */
export interface PlanningProgress {
  readonly evaluations: number;
  readonly mostEvaluations: number;
  readonly bestMakespanMs: number;
}

/** Found plans that no other beats in both makespan and cost, the fastest first. */
export interface FoundPlans {
  readonly front: readonly Plan[];
  readonly evaluations: number;
}

/** A planner at work: `return` of the last step has what was found. */
export type Planning = Generator<PlanningProgress, FoundPlans, boolean | undefined>;

/** Why a plan is not what was asked for, with the amount. */
export type PlanShortfall =
  | { readonly kind: "tasksUnplaced"; readonly tasks: number }
  | { readonly kind: "deadlineMissed"; readonly byMs: number; readonly workflow?: string }
  | { readonly kind: "budgetExceeded"; readonly bySu: number }
  | { readonly kind: "deadlineUnsure"; readonly probability: number; readonly wanted: number };

/** The plan that α chooses, and how far it is from the deadline and the budget. */
export interface ChosenPlan {
  readonly plan: Plan;
  readonly shortfalls: readonly PlanShortfall[];
}

/**
 * The plan of a front that minimises α·cost + (1 − α)·makespan, both normalised over the front, among those
 * within deadline and budget; ties go to the smaller makespan. Where none is within, the one that misses them
 * by the smallest share.
 */
export function choosePlan(front: readonly Plan[], question: PlanningQuestion): ChosenPlan {
  const placed = front.filter((plan) => unplacedTasks(plan) === 0);
  const candidates = placed.length > 0 ? placed : front;
  const within = candidates.filter((plan) => excess(plan, question) === 0);
  const cost = normaliser(candidates.map(({ packedCostSu }) => packedCostSu));
  const time = normaliser(candidates.map(({ makespanMs }) => makespanMs));
  const { alpha } = question;
  const weight = (plan: Plan): number =>
    within.length === 0
      ? excess(plan, question)
      : alpha * cost(plan.packedCostSu) + (1 - alpha) * time(plan.makespanMs);
  const from = within.length === 0 ? candidates : within;
  const plan = from.reduce((best, next) => {
    const [a, b] = [weight(next), weight(best)];
    return a < b || (a === b && next.makespanMs < best.makespanMs) ? next : best;
  });
  return { plan, shortfalls: shortfallsOf(plan, question) };
}

/** Plans that no other beats, by makespan and the cost that is charged, the fastest first. */
export function frontOf(plans: readonly Plan[]): readonly Plan[] {
  const sorted = [...plans].sort(
    (one, other) => one.makespanMs - other.makespanMs || one.packedCostSu - other.packedCostSu,
  );
  let least = Number.POSITIVE_INFINITY;
  return sorted.filter(({ packedCostSu }) => {
    const isBetter = packedCostSu < least;
    least = Math.min(least, packedCostSu);
    return isBetter;
  });
}

function shortfallsOf(plan: Plan, question: PlanningQuestion): readonly PlanShortfall[] {
  const { deadlineMs, budgetSu, parts = [] } = question;
  const tasks = unplacedTasks(plan);
  const lateMs = makespanOf(plan.placement) - (deadlineMs ?? Number.POSITIVE_INFINITY);
  const overSu = plan.packedCostSu - (budgetSu ?? Number.POSITIVE_INFINITY);
  return [
    ...(tasks > 0 ? [{ kind: "tasksUnplaced" as const, tasks }] : []),
    ...(lateMs > 0 ? [{ kind: "deadlineMissed" as const, byMs: lateMs }] : []),
    ...parts.flatMap((part) => {
      const byMs = endOfPart(plan.placement, part) - (part.deadlineMs ?? Number.POSITIVE_INFINITY);
      return byMs > 0 ? [{ kind: "deadlineMissed" as const, byMs, workflow: part.name }] : [];
    }),
    ...(overSu > 0 ? [{ kind: "budgetExceeded" as const, bySu: overSu }] : []),
  ];
}

/** Tasks of a plan that found no place. */
export function unplacedTasks({ placement }: Plan): number {
  return placement.site.reduce((count, site) => count + (site < 0 ? 1 : 0), 0);
}

/** The last end of a task of one of several workflows. */
export function endOfPart({ endMs }: Pick<Placement, "endMs">, { from, to }: WorkflowPart): number {
  return makespanOf({ endMs: endMs.subarray(from, to) });
}

/** Sum of the shares by which a plan exceeds deadlines and budget. */
function excess({ makespanMs, packedCostSu, placement }: Plan, question: PlanningQuestion): number {
  const { deadlineMs, budgetSu, parts = [] } = question;
  const late = parts.reduce((sum, part) => sum + over(endOfPart(placement, part), part.deadlineMs), 0);
  return over(makespanMs, deadlineMs) + late + over(packedCostSu, budgetSu);
}

function over(value: number, limit: number | undefined): number {
  if (limit === undefined || value <= limit) return 0;
  return limit <= 0 ? value : value / limit - 1;
}
