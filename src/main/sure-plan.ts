/**
 * Plans of uncertain runtimes: executed many times in simulation, with slack until a deadline is sure enough.
 *
 * The plan of several that happened to do best in some executions does worse in others. So a plan chosen by
 * executions is judged by others, drawn from another seed.
 */
import { Fault } from "../base/index.ts";
import type { PlanAnswer, PlanRequest } from "../cli/index.ts";
import {
  type ChosenPlan,
  type Executions,
  executionsOf,
  type FoundPlans,
  hasUncertainRuntimes,
  type Instance,
  lengthenedTo,
  type PlanningQuestion,
  SURETY_LEVELS,
  type SuretyLevel,
} from "../plan/index.ts";

/** Added to the seed for the executions by which a chosen plan is judged. */
const HELD_OUT = 0x5eed;

/** A front with the plan that was chosen from it. */
export interface Planned extends FoundPlans, ChosenPlan {
  readonly isStopped: boolean;
}

interface Tried {
  readonly planned: Planned;
  readonly seen: Executions;
  readonly level?: SuretyLevel;
}

/**
 * Plans with the stated runtimes, then with runtimes that are long enough at rising levels of surety, until
 * the deadline is kept as surely as it is wanted, and by a standard error more; else the surest plan is the
 * answer.
 *
 * @throws Fault where a surety is wanted, and every runtime is certain
 */
export async function surePlan(
  instance: Instance,
  request: PlanningQuestion & Pick<PlanRequest, "surely" | "files">,
  planOn: (instance: Instance) => Promise<Planned>,
): Promise<{ readonly planned: Planned; readonly uncertainty?: PlanAnswer["uncertainty"] }> {
  const { surely, files } = request;
  const isUncertain = hasUncertainRuntimes(instance.workflow);
  if (surely !== undefined && !isUncertain) throw certain(files.join(", "));
  const first = await planOn(instance);
  if (!isUncertain) return { planned: first };
  let best: Tried = { planned: first, seen: executionsOf(instance, first.plan, request) };
  if (surely === undefined) return { planned: first, uncertainty: uncertaintyOf(best) };
  for (const level of SURETY_LEVELS) {
    if (isSureEnough(best, surely) || best.planned.isStopped) break;
    const planned = await planOn(lengthenedTo(instance, level));
    const next = { planned, level, seen: executionsOf(instance, planned.plan, request) };
    if (probabilityOf(next) > probabilityOf(best)) best = next;
  }
  const suretyCostSu = best.planned.plan.packedCostSu - first.plan.packedCostSu;
  const seen = executionsOf(instance, best.planned.plan, { ...request, seed: request.seed + HELD_OUT });
  const judged = { ...best, seen };
  const probability = probabilityOf(judged);
  const others = best.planned.shortfalls.filter(({ kind }) => kind !== "deadlineMissed");
  const unsure = { kind: "deadlineUnsure", probability, wanted: surely } as const;
  return {
    planned: { ...best.planned, shortfalls: probability >= surely ? others : [...others, unsure] },
    uncertainty: { ...uncertaintyOf(judged), choosingProbability: probabilityOf(best), suretyCostSu },
  };
}

function isSureEnough(tried: Tried, surely: number): boolean {
  const error = Math.sqrt((surely * (1 - surely)) / tried.seen.runs);
  return probabilityOf(tried) >= Math.min(1, surely + error);
}

function probabilityOf({ seen }: Tried): number {
  return seen.deadlineProbability ?? 0;
}

function uncertaintyOf({ seen, level }: Tried): NonNullable<PlanAnswer["uncertainty"]> {
  const { runs, deadlineProbability, meanMakespanMs, meanCostSu } = seen;
  return {
    executions: runs,
    ...(deadlineProbability === undefined ? {} : { deadlineProbability }),
    ...{ meanMakespanSec: meanMakespanMs / 1000, meanCostSu },
    ...(level === undefined ? {} : { runtimeProbability: level.probability }),
  };
}

function certain(files: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "runtimesCertain",
    what: `${files}: no task has an uncertain runtime`,
    why: "--surely needs the probability of meeting the deadline, which follows from uncertain runtimes",
    remedy: "give tasks a spread or quantiles: { id: a, runtime: 10m, spread: 2m }",
  });
}
