/**
 * Projects in the manner of ProGen, by seed: a set that nothing was tuned to.
 *
 * Source: Kolisch, Sprecher, Drexl 1995. As PSPLIB's single-mode sets: durations and requests uniform from 1
 * to 10, four resources, three tasks at the beginning and three at the end, at most three parents and
 * children; NC non-redundant arcs for each task, RF the share of the resources that a task needs, RS from 0,
 * the capacity that the widest task needs, to 1, that of the schedule of earliest starts. Departs from it:
 * where no more arcs are possible, a project has fewer than NC asks for.
 */
import { createRandom, drawInteger, type Random } from "../src/base/index.ts";
import type { TaskDraft, WorkflowDraft } from "../src/plan/index.ts";

/** A kind of project; ten of each are PSPLIB's set. */
interface ProjectKind {
  readonly tasks: number;
  readonly arcsPerTask: number;
  readonly resourceFactor: number;
  readonly resourceStrength: number;
}

const RESOURCES = 4;
const ENDS = 3;
const MOST_NEIGHBOURS = 3;
const MOST_DRAWN = 10;
const ARCS = [1.5, 1.8, 2.1];
const FACTORS = [0.25, 0.5, 0.75, 1];
const STRENGTHS = [0.2, 0.5, 0.7, 1];
/** Those of PSPLIB's j120, which is scarcer. */
const LARGE_STRENGTHS = [0.1, 0.2, 0.3, 0.4, 0.5];

/** One project of each kind of PSPLIB's set with so many tasks, or `each` of them. */
export function projects(tasks: number, each: number): readonly WorkflowDraft[] {
  const strengths = tasks >= 120 ? LARGE_STRENGTHS : STRENGTHS;
  const kinds = ARCS.flatMap((arcsPerTask) =>
    FACTORS.flatMap((resourceFactor) =>
      strengths.map((resourceStrength) => ({ tasks, arcsPerTask, resourceFactor, resourceStrength })),
    ),
  );
  return kinds.flatMap((kind, at) =>
    Array.from({ length: each }, (_, one) => project(kind, createRandom(1000 * tasks + 10 * at + one))),
  );
}

function project(kind: ProjectKind, random: Random): WorkflowDraft {
  const { tasks: count, resourceFactor, resourceStrength } = kind;
  const parents = network(kind, random);
  const durations = parents.map(() => drawInteger(random, 1, MOST_DRAWN));
  const requests = parents.map(() => new Array<number>(RESOURCES).fill(0));
  const pairs = shuffled(
    Array.from({ length: count * RESOURCES }, (_, at) => at),
    random,
  );
  for (const pair of pairs.slice(0, Math.round(count * RESOURCES * resourceFactor))) {
    requests[Math.floor(pair / RESOURCES)][pair % RESOURCES] = drawInteger(random, 1, MOST_DRAWN);
  }
  const peaks = earliestPeaks(parents, durations, requests);
  const capacities = Object.fromEntries(
    peaks.map((peak, k) => {
      const least = requests.reduce((most, own) => Math.max(most, own[k]), 0);
      return [`R${k + 1}`, least + Math.round(resourceStrength * (peak - least))];
    }),
  );
  const tasks = parents.map((own, at): TaskDraft => {
    const amounts = Object.fromEntries(requests[at].map((request, k) => [`R${k + 1}`, request]));
    const waitsFor = own.map((parent) => ({ id: String(parent + 1), bytes: 0 }));
    return { id: String(at + 1), procs: 0, runtimeMs: 1000 * durations[at], amounts, parents: waitsFor };
  });
  return { name: `project of ${count}`, tasks, capacities };
}

/** Parents of each task: everybody has one and a child, then arcs are added that no path stands for. */
function network({ tasks: count, arcsPerTask }: ProjectKind, random: Random): readonly number[][] {
  const parents = Array.from({ length: count }, (): number[] => []);
  const children = Array.from({ length: count }, (): number[] => []);
  const add = (from: number, to: number): void => {
    parents[to].push(from);
    children[from].push(to);
  };
  const hasRoom = (from: number, to: number): boolean =>
    parents[to].length < MOST_NEIGHBOURS && children[from].length < MOST_NEIGHBOURS;
  for (let to = ENDS; to < count; to++) {
    const possible = range(0, Math.min(to, count - ENDS)).filter((from) => hasRoom(from, to));
    add(possible[drawInteger(random, 0, possible.length - 1)], to);
  }
  for (let from = count - ENDS - 1; from >= 0; from--) {
    if (children[from].length > 0) continue;
    const possible = range(Math.max(from + 1, ENDS), count).filter((to) => hasRoom(from, to));
    if (possible.length > 0) add(from, possible[drawInteger(random, 0, possible.length - 1)]);
  }
  const wanted = Math.round(arcsPerTask * count);
  let arcs = parents.reduce((sum, own) => sum + own.length, 0);
  for (let tried = 0; arcs < wanted && tried < 100 * wanted; tried++) {
    const from = drawInteger(random, 0, count - ENDS - 1);
    const to = drawInteger(random, Math.max(from + 1, ENDS), count - 1);
    if (!hasRoom(from, to) || isRedundant(parents, children, [from, to])) continue;
    add(from, to);
    arcs++;
  }
  return parents;
}

/** True where a path leads there already, or where the new arc would stand for one that is there. */
function isRedundant(
  parents: readonly number[][],
  children: readonly number[][],
  [from, to]: readonly [number, number],
): boolean {
  const above = reachedFrom(parents, from);
  const below = reachedFrom(children, to);
  if (reachedFrom(children, from).has(to)) return true;
  return [...above].some((before) => children[before].some((after) => below.has(after)));
}

function reachedFrom(next: readonly number[][], start: number): ReadonlySet<number> {
  const reached = new Set([start]);
  for (const one of reached) for (const further of next[one]) reached.add(further);
  return reached;
}

/** The most that the schedule of earliest starts needs of each resource at once. */
function earliestPeaks(
  parents: readonly number[][],
  durations: readonly number[],
  requests: readonly number[][],
): readonly number[] {
  const ends: number[] = [];
  for (const [at, own] of parents.entries()) {
    ends.push(durations[at] + own.reduce((latest, parent) => Math.max(latest, ends[parent]), 0));
  }
  return range(0, RESOURCES).map((k) => {
    const use = new Array<number>(Math.max(...ends)).fill(0);
    for (const [at, end] of ends.entries()) {
      for (let period = end - durations[at]; period < end; period++) use[period] += requests[at][k];
    }
    return Math.max(...use);
  });
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

function shuffled(items: number[], random: Random): readonly number[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = drawInteger(random, 0, at);
    [items[at], items[other]] = [items[other], items[at]];
  }
  return items;
}
