/**
 * Plans of a workflow on what sites advertise at an instant, by MOGA, and on priced slots, greedily.
 *
 * Every plan goes through the independent checker. The makespan and the planning cost are read off the plan.
 */
import { assert, MS_PER_HOUR } from "../../src/base/index.ts";
import { PLAIN_PRICE, priceList } from "../../src/market/index.ts";
import {
  choosePlan,
  type Instance,
  instanceOf,
  planningBy,
  statedPlan,
  type WorkflowDraft,
  workflowOf,
} from "../../src/plan/index.ts";
import { byWeight } from "../../src/plan/planners/by-weight.ts";
import { heftOrder } from "../../src/plan/planners/ranks.ts";
import { createEvaluation } from "../../src/plan/planners/slots/evaluation.ts";
import { archived, evolution } from "../../src/plan/planners/slots/evolution.ts";
import { plainStrings } from "../../src/plan/planners/slots/evolve.ts";
import type { Judged } from "../../src/plan/planners/slots/moga.ts";
import { advance, checkpoint, machineFrom, prepareImpact, reserve } from "../../src/queue/index.ts";
import { checkPlan } from "../../test/plain/plan-checker.ts";
import type { SiteState } from "./states.ts";

/** Makespan and allocation cost of one submission. */
export interface Outcome {
  readonly hours: number;
  readonly su: number;
}

/** Time for a file between sites: 1000 Gbit at 10 Gbit/s, and a latency of 150 s. */
const LINK = { latencyMs: 150_000, bytesPerSec: 1.25e9 };

/** The workflow on the sites as they are, with their slots or, for best effort and prices, without. */
export function instanceAt(
  draft: WorkflowDraft,
  states: readonly SiteState[],
  sellsSlots: boolean,
): Instance {
  const workflow = workflowOf(draft);
  if (!workflow.ok) throw new Error(workflow.refusal[0].what);
  const instance = instanceOf(workflow.value, platformOf(states, sellsSlots));
  if (!instance.ok) throw new Error(instance.refusal[0].what);
  return instance.value;
}

function platformOf(states: readonly SiteState[], sellsSlots: boolean) {
  const sites = states.map(({ site, slots }) => ({
    ...{ name: site.name, procs: site.procs, speed: 1, price: 1 },
    ...(sellsSlots ? { slots } : {}),
  }));
  return { sites, link: LINK, pairs: [] };
}

/** The plans that α chooses of those that MOGA finds, by their planning cost. */
export function plansByMoga(
  draft: WorkflowDraft,
  states: readonly SiteState[],
  question: { readonly alphas: readonly number[]; readonly seed: number; readonly evaluations: number },
): readonly Outcome[] {
  const { alphas, seed, evaluations } = question;
  const instance = instanceAt(draft, states, true);
  if (draft.tasks.length > MOST_PACKED)
    return alphas.map((alpha) => unpacked(draft, states, instance, { alpha, ...question }));
  const planning = planningBy("moga", instance, { alpha: 0, seed, evaluations });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  const front = step.value.front.map((plan) => ({ ...plan, packedCostSu: plan.planningCostSu }));
  return alphas.map((alpha) => {
    const { plan } = choosePlan(front, { alpha, seed });
    const found = step.done === true ? step.value.front[front.indexOf(plan)] : undefined;
    assert(found !== undefined, "the choice is one of the front");
    demandRight(draft, states, true, statedPlan(instance, found));
    return { hours: plan.makespanMs / MS_PER_HOUR, su: plan.planningCostSu };
  });
}

/** Packing the rectangles of more tasks takes minutes; the planning cost needs none. */
const MOST_PACKED = 1000;

/** As above, without reservations: the checker sees when and where tasks run. */
function unpacked(
  draft: WorkflowDraft,
  states: readonly SiteState[],
  instance: Instance,
  question: { readonly alpha: number; readonly seed: number; readonly evaluations: number },
): Outcome {
  const { alpha, seed, evaluations } = question;
  const evaluation = createEvaluation(instance);
  const strings = plainStrings(evaluation);
  let archive: Judged[] = [];
  let count = 0;
  for (const one of evolution("moga", strings, { seed, seeds: [] })) {
    archive = archived(archive, one);
    if (++count >= evaluations) break;
  }
  const answers = archive.map(({ bits, judgement: { makespanMs, costSu } }) => ({
    ...{ bits, site: 0, startMs: 0, endMs: makespanMs, costSu },
  }));
  const [best] = byWeight(answers, alpha);
  strings.judge(best.bits);
  const { site, startMs, endMs } = evaluation.placement;
  const tasks = draft.tasks.map(({ id, procs }, task) => ({
    ...{ id, procs, site: states[site[task]].site.name },
    ...{ startSec: startMs[task] / 1000, endSec: endMs[task] / 1000 },
  }));
  demandRight(draft, states, false, { makespanSec: best.endMs / 1000, tasks });
  return { hours: best.endMs / MS_PER_HOUR, su: best.costSu };
}

/** Task after task, at the answer of the site that α weighs best; the following questions see it. */
export function greedyOnPrices(draft: WorkflowDraft, states: readonly SiteState[], alpha: number): Outcome {
  const instance = instanceAt(draft, states, false);
  const { workflow, siteCount, runtimeMs } = instance;
  const copies = states.map(({ replay: { machine } }) => machineFrom(checkpoint(machine), machine.rules));
  const tasks: { id: string; site: string; procs: number; startSec: number; endSec: number }[] = [];
  const placed = new Map<number, { site: number; endMs: number }>();
  let su = 0;
  for (const task of heftOrder(instance)) {
    const { id, procs } = workflow.tasks[task];
    const answers = copies.flatMap((copy, site) => {
      const durationMs = runtimeMs[task * siteCount + site];
      if (!Number.isFinite(durationMs)) return [];
      const fromMs = states[site].atMs + readyMs(instance, placed, task, site);
      const shape = { pool: 0, need: [procs], durationMs };
      return priceList(prepareImpact(copy), shape, { kind: "from", fromMs }, PLAIN_PRICE).map((one) => {
        const startMs = one.startMs - states[site].atMs;
        const costSu = (procs * durationMs + one.fixedProcMs) / MS_PER_HOUR;
        return { site, startMs, endMs: startMs + durationMs, costSu };
      });
    });
    const [best] = byWeight(answers, alpha);
    const { site, startMs, endMs } = best;
    const fixed = {
      pool: 0,
      need: [procs],
      durationMs: endMs - startMs,
      startMs: states[site].atMs + startMs,
    };
    const refusal = reserve(copies[site], task, fixed, states[site].atMs);
    assert(refusal === undefined, "a start of the list is possible");
    advance(copies[site], states[site].atMs);
    placed.set(task, { site, endMs });
    su += best.costSu;
    const name = states[site].site.name;
    tasks.push({ id, site: name, procs, startSec: startMs / 1000, endSec: endMs / 1000 });
  }
  const makespanSec = Math.max(...tasks.map(({ endSec }) => endSec));
  demandRight(draft, states, false, { makespanSec, tasks });
  return { hours: makespanSec / 3600, su };
}

function readyMs(
  { workflow: { parentStart, parentOf, parentBytes } }: Instance,
  placed: ReadonlyMap<number, { readonly site: number; readonly endMs: number }>,
  task: number,
  site: number,
): number {
  let ready = 0;
  for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
    const parent = placed.get(parentOf[edge]);
    assert(parent !== undefined, "parents come first");
    const moveMs = LINK.latencyMs + Math.ceil((1000 * parentBytes[edge]) / LINK.bytesPerSec);
    ready = Math.max(ready, parent.endMs + (parent.site === site ? 0 : moveMs));
  }
  return ready;
}

function demandRight(
  draft: WorkflowDraft,
  states: readonly SiteState[],
  sellsSlots: boolean,
  plan: Parameters<typeof checkPlan>[2],
): void {
  const broken = checkPlan(draft.tasks, platformOf(states, sellsSlots), plan);
  if (broken.length > 0) throw new Error(`a plan is not in order: ${broken.slice(0, 3).join("; ")}`);
}
