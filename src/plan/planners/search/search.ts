/**
 * Search over the order of tasks: two populations of schedules, justified to the left and to the right.
 *
 * The first schedules are sampled. Each generation crosses the schedules of one population and builds the
 * children in the other direction, so that every child is also justified (forward–backward improvement); a
 * child replaces the schedule at its place if it is no worse, and like no other. Stops at a lower bound or
 * after so many schedules, each pass being one. Source: after Debels, Vanhoucke 2007 [DV07]; schemes and
 * justification in `passes.ts`, `sampling.ts`. Departs from it: sites are chosen as well, and plans that no
 * other beats in time and cost are kept. Where tasks have priorities, forward lists follow these, and only
 * schedules that were built forward are plans. Deterministic for a seed.
 */
import { createRandom, drawFraction, drawInteger, type Random } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import { heft } from "../list-schedule.ts";
import { emptyPlacement, makespanOf, type Placement } from "../placement.ts";
import { planOf } from "../plan.ts";
import { frontOf, type Planning, type PlanningQuestion } from "../planning.ts";
import { type Best, createBest } from "./best.ts";
import { lowerBoundMs, tailsOf } from "./bounds.ts";
import { type Crossed, cross, keysOf, type Schedule } from "./crossover.ts";
import { createListMaker, type ListMaker, listByKeys, prioritiesOf } from "./lists.ts";
import { createPasses, type Passes, serialPass } from "./passes.ts";
import { leastChanceOf, type SampledFrom, sampledPass } from "./sampling.ts";

const FORWARD = 0;
const BACKWARD = 1;
type Direction = typeof FORWARD | typeof BACKWARD;

/** Usual number of schedules: fewer for large workflows. */
const USUAL_SCHEDULES = 5000;
const LEAST_SCHEDULES = 200;
const TASKS_IN_ALL = 1_000_000;
/** Initial keys are spread by this part of the lower bound, where schedules are not sampled. */
const NOISE = 0.5;
/** Most tasks for which schedules are sampled, which is quadratic in those that are ready. */
const SAMPLED_TASKS = 1000;

/** Multiple of what a child pays at most at which cost alone decides. */
const CHEAPEST = 1e6;

interface Search {
  readonly instance: Instance;
  readonly passes: Passes;
  readonly lists: readonly [forward: ListMaker, backward: ListMaker];
  readonly random: Random;
  readonly crossed: Crossed;
  readonly best: Best;
  readonly tails: Float64Array;
  readonly sampledFrom: SampledFrom;
  readonly boundMs: number;
  /** The most that a child pays for one SU, in milliseconds. */
  readonly mostMsPerSu: number;
  count: number;
}

/** Searches; a step is one schedule. */
export function* searchPlans(instance: Instance, question: PlanningQuestion): Planning {
  const most = question.evaluations ?? usualSchedules(instance.taskCount);
  const search = createSearch(instance, question);
  const size = Math.max(4, Math.round(Math.sqrt(most)));
  const populations: [Schedule[], Schedule[]] = [[], []];
  let isStopped = false;
  const isOver = (): boolean => isStopped || search.count >= most || isProven(search);
  const progress = () => ({
    ...{ evaluations: search.count, mostEvaluations: most },
    bestMakespanMs: search.best.makespanMs(),
  });
  while (populations[FORWARD].length < size && !isOver()) {
    populations[FORWARD].push(initial(search, populations[FORWARD].length));
    isStopped = (yield progress()) === true;
  }
  for (
    let direction: Direction = BACKWARD;
    !isOver();
    direction = direction === FORWARD ? BACKWARD : FORWARD
  ) {
    const parents = populations[direction === FORWARD ? BACKWARD : FORWARD];
    const target = populations[direction];
    for (let at = 0; at < parents.length && !isOver(); at++) {
      const child =
        target.length <= at
          ? justified(search, parents[at], direction)
          : bred(search, parents, at, direction);
      if (target.length <= at || isImprovement(child, target, at)) target[at] = child;
      isStopped = (yield progress()) === true;
    }
  }
  const plans = search.best.placements().map((placement) => planOf(instance, placement));
  return { front: frontOf(plans), evaluations: search.count };
}

/** Usual number of schedules of a workflow with so many tasks. */
export function usualSchedules(tasks: number): number {
  return Math.max(LEAST_SCHEDULES, Math.min(USUAL_SCHEDULES, Math.round(TASKS_IN_ALL / tasks)));
}

function createSearch(instance: Instance, { seed, alpha }: PlanningQuestion): Search {
  const { taskCount } = instance;
  const passes = createPasses(instance);
  const tails = tailsOf(instance);
  const start = heft(instance);
  const costSu = costOf(passes, start);
  const rate = costSu > 0 && instance.siteCount > 1 ? makespanOf(start) / costSu : 0;
  const best = createBest((placement, lengthMs) => {
    const cost = rate === 0 ? 0 : costOf(passes, placement);
    return { costSu: cost, worth: (1 - alpha) * lengthMs + alpha * rate * cost };
  });
  best.offer(start, makespanOf(start));
  return {
    ...{
      instance,
      passes,
      best,
      tails,
      sampledFrom: sampledFromOf(instance, passes, tails),
      boundMs: lowerBoundMs(instance, tails),
      mostMsPerSu: rate * taskCount,
    },
    lists: [createListMaker(taskCount, prioritiesOf(instance.workflow)), createListMaker(taskCount)],
    ...{ random: createRandom(seed), count: 0 },
    crossed: { keys: new Float64Array(taskCount), isOfFirst: new Uint8Array(taskCount) },
  };
}

function sampledFromOf(instance: Instance, { forward, backward }: Passes, tails: Float64Array): SampledFrom {
  const priorities = prioritiesOf(instance.workflow);
  return {
    ...{ instance, before: forward, after: backward, tails, leastChance: leastChanceOf(instance) },
    ...(priorities === undefined ? {} : { priorities }),
  };
}

/** On one site the cost is the same for all plans: one at the lower bound cannot be beaten. */
function isProven({ instance, best, boundMs }: Search): boolean {
  return instance.siteCount === 1 && best.makespanMs() <= boundMs;
}

/** A sampled schedule, or one by latest starts with noise; the first has none, the second is the cheapest. */
function initial(search: Search, number: number): Schedule {
  const { instance, sampledFrom, tails, boundMs, random, crossed } = search;
  const placement = emptyPlacement(instance.taskCount);
  if (instance.siteCount === 1 && instance.taskCount <= SAMPLED_TASKS) {
    return counted(
      search,
      FORWARD,
      placement,
      sampledPass(sampledFrom, placement, () => drawFraction(random)),
    );
  }
  const spread = number === 0 ? 0 : boundMs * NOISE;
  for (let task = 0; task < instance.taskCount; task++) {
    const own = number % 2 === 0 ? 0 : instance.runtimeMs[task * instance.siteCount];
    crossed.keys[task] = -tails[task] - (Number.isFinite(own) ? own : 0) + spread * drawFraction(random);
  }
  return built(search, FORWARD, placement, number === 1 ? CHEAPEST * search.mostMsPerSu : undefined);
}

function justified(search: Search, parent: Schedule, direction: Direction): Schedule {
  keysOf(parent, search.crossed.keys);
  return built(search, direction, withSites(parent.site));
}

/** A child of the schedule at a place and of the better of two others. */
function bred(search: Search, parents: readonly Schedule[], at: number, direction: Direction): Schedule {
  const { random, crossed, instance } = search;
  const one = parents[drawInteger(random, 0, parents.length - 1)];
  const two = parents[drawInteger(random, 0, parents.length - 1)];
  const mother = one.worth <= two.worth ? one : two;
  const isFirst = drawFraction(random) < 0.5;
  const [first, second] = isFirst ? [parents[at], mother] : [mother, parents[at]];
  cross(instance, [first, second], random, crossed);
  const placement = emptyPlacement(instance.taskCount);
  // Forward, half of the children choose their sites anew.
  if (instance.siteCount === 1 || direction === BACKWARD || drawFraction(random) < 0.5) {
    for (let task = 0; task < instance.taskCount; task++) {
      placement.site[task] = (crossed.isOfFirst[task] === 1 ? first : second).site[task];
    }
  }
  return built(search, direction, placement);
}

/** True for a child that is no worse than the schedule at its place, and like none of the population. */
function isImprovement(child: Schedule, population: readonly Schedule[], at: number): boolean {
  if (child.worth > population[at].worth) return false;
  return !population.some(
    ({ worth, endMs }) => worth === child.worth && endMs.every((end, task) => end === child.endMs[task]),
  );
}

/** Runs one pass over the keys. @param msPerSu what it pays for one SU; drawn where absent */
function built(search: Search, direction: Direction, placement: Placement, msPerSu?: number): Schedule {
  const { passes, lists, crossed, random, mostMsPerSu } = search;
  const [before, after] =
    direction === FORWARD ? [passes.forward, passes.backward] : [passes.backward, passes.forward];
  const list = listByKeys(lists[direction], before, after, crossed.keys);
  if (mostMsPerSu > 0) {
    passes.msPerSu = msPerSu ?? (drawFraction(random) < 0.5 ? 0 : mostMsPerSu * drawFraction(random) ** 3);
  }
  return counted(search, direction, placement, serialPass(passes, before, list, placement));
}

/** Counts a schedule, and offers its plan, turned to forward time, as one of the best. */
function counted(search: Search, direction: Direction, placement: Placement, lengthMs: number): Schedule {
  search.count++;
  const { best, lists } = search;
  const isPlan = direction === FORWARD || lists[FORWARD].priorities === undefined;
  const worth = isPlan
    ? best.offer(placement, lengthMs, direction === BACKWARD)
    : best.worthOf(placement, lengthMs);
  return { ...placement, lengthMs, worth };
}

function withSites(site: Int32Array): Placement {
  return { ...emptyPlacement(site.length), site: site.slice() };
}

function costOf({ costSu, instance }: Passes, { site }: Placement): number {
  let sum = 0;
  for (let task = 0; task < site.length; task++) sum += costSu[task * instance.siteCount + site[task]];
  return sum;
}
