/**
 * One reservation for each task, all with the same slack after the task: the most that a deadline leaves.
 *
 * Tasks are placed in HEFT's order on all slots, each longer by the slack; without a deadline there is none.
 * Nothing is packed. Source: Zhao and Sakellariou, as [PROV] 2.2 tells of them: equal slack for every task.
 * The largest slack is found by halving, though the makespan of list scheduling does not always rise with it.
 */
import type { Instance } from "../../platform/index.ts";
import { makespanOf } from "../placement.ts";
import type { Plan } from "../plan.ts";
import { costSu } from "../rectangle.ts";
import { createEvaluation, type Evaluation, evaluate, rectanglesOf } from "./evaluation.ts";

const HALVINGS = 24;

/** The plan with the largest slack that keeps the deadline, or without slack. */
export function perTaskPlan(instance: Instance, deadlineMs?: number): Plan {
  const without = placed(instance, 0);
  if (deadlineMs === undefined || without.endMs > deadlineMs) return without.plan;
  let best = without;
  let [least, most] = [0, deadlineMs];
  for (let step = 0; step < HALVINGS && least + 1 < most; step++) {
    const slackMs = Math.floor((least + most) / 2);
    const tried = placed(instance, slackMs);
    if (tried.endMs > deadlineMs) most = slackMs;
    else {
      least = slackMs;
      best = tried;
    }
  }
  return best.plan;
}

interface Placed {
  readonly plan: Plan;
  /** End of the last reservation, or later than any deadline where a task found no place. */
  readonly endMs: number;
}

function placed(instance: Instance, slackMs: number): Placed {
  const runtimeMs = instance.runtimeMs.map((ms) => (ms > 0 ? ms + slackMs : ms));
  const evaluation = createEvaluation({ ...instance, runtimeMs });
  const { unplaced, makespanMs } = evaluate(evaluation, new Uint8Array(evaluation.bitCount).fill(1));
  return {
    plan: withoutSlack(evaluation, slackMs),
    endMs: unplaced > 0 ? Number.POSITIVE_INFINITY : makespanMs,
  };
}

/** The plan of the last evaluation, in which tasks end before their reservations. */
function withoutSlack(evaluation: Evaluation, slackMs: number): Plan {
  const { site, startMs, endMs } = evaluation.placement;
  const placement = {
    ...{ site: site.slice(), startMs: startMs.slice() },
    endMs: endMs.map((end, task) => (end > startMs[task] ? end - slackMs : end)),
  };
  const reservations = rectanglesOf(evaluation);
  const cost = reservations.reduce((sum, it) => sum + costSu(it), 0);
  return {
    ...{ placement, reservations, makespanMs: makespanOf(placement) },
    ...{ planningCostSu: cost, packedCostSu: cost },
  };
}
