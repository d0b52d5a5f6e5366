/**
 * All figures of plans: one application, submitted at instants of a workload, by planners and by best effort.
 */
import { createRandom, drawFraction, MS_PER_HOUR } from "../../src/base/index.ts";
import { cyberShake, layeredWorkflow, type WorkflowDraft } from "../../src/plan/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { jobsOf, numbered, withDuplicates } from "../jobs-of.ts";
import type { Cluster } from "../slots/clusters.ts";
import { bestEffortMs } from "./best-effort.ts";
import { greedyOnPrices, instanceAt, type Outcome, plansByMoga } from "./plans.ts";
import { instantsOf, type Played, playerOf, type SiteState } from "./states.ts";

/** One point of a figure: what each submission came to. */
export interface Point {
  readonly figures: readonly string[];
  /** Cluster, or number of sites. */
  readonly place: string;
  readonly x: number;
  readonly planner: "MOGA" | "greedy";
  readonly alpha: number;
  readonly planned: readonly Outcome[];
  /** Best effort at the same instants. */
  readonly queued: readonly Outcome[];
}

/** How much is done. */
export interface Effort {
  readonly submissions: number;
  readonly evaluations: number;
  /** Pairs of tasks at the end of the seismic workflow; the whole one has 4,017. */
  readonly pairs: number;
}

/** A cluster at the loads of the source. */
export interface Loaded {
  readonly cluster: string;
  /** In percent, as wanted and as reached. */
  readonly wanted: number;
  readonly reached: number;
  readonly played: Played;
}

const SEED = 7;
const LOADS = { CTC: [63, 76, 88], SDSC: [70, 78, 84, 90] } as const;
const MEAN = { CTC: 22, SDSC: 6 } as const;
const SIZES = { CTC: [3, 10, 20, 30], SDSC: [1, 3, 6, 9] } as const;
const ALPHAS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
/** The sources of figures 19 and 56, in the order in which they are added. */
const SITES = [
  ["CTC", 88],
  ["SDSC", 84],
  ["CTC", 76],
  ["SDSC", 78],
  ["CTC", 63],
  ["SDSC", 70],
] as const;
const EDGE_BYTES = 1.25e11;

/** The clusters at all loads: jobs dropped, or there twice, until the load is that of the source. */
export async function loadedClusters(clusters: readonly Cluster[]): Promise<readonly Loaded[]> {
  const all: Loaded[] = [];
  for (const { name, trace, procs } of clusters) {
    const jobs = await jobsOf({ trace, procs, estimates: "exact" });
    for (const wanted of LOADS[name]) {
      const own = atLoad(jobs, procs, wanted / 100);
      const reached = 100 * loadOf(own, procs);
      all.push({ cluster: name, wanted, reached, played: { name: `${name} ${wanted} %`, procs, jobs: own } });
    }
  }
  return all;
}

function loadOf(jobs: readonly WorkloadJob[], procs: number): number {
  const work = jobs.reduce((sum, { need, runtimeMs }) => sum + need[0] * runtimeMs, 0);
  return work / (procs * jobs[jobs.length - 1].submitMs);
}

/** One step of correction: what is drawn differs from its mean. */
function atLoad(jobs: readonly WorkloadJob[], procs: number, wanted: number): readonly WorkloadJob[] {
  const draw = (part: number): readonly WorkloadJob[] => {
    if (part >= 1) return withDuplicates(jobs, part - 1, SEED);
    const random = createRandom(SEED);
    return numbered(jobs.filter(() => drawFraction(random) < part));
  };
  const first = wanted / loadOf(jobs, procs);
  return draw(first * (wanted / loadOf(draw(first), procs)));
}

/** Measures everything; `tell` hears of every step. */
export function measureAll(
  loaded: readonly Loaded[],
  effort: Effort,
  tell: (text: string) => void,
): readonly Point[] {
  const points: Point[] = [];
  const at = (cluster: string, wanted: number): Played =>
    (loaded.find((it) => it.cluster === cluster && it.wanted === wanted) ?? loaded[0]).played;
  for (const cluster of ["CTC", "SDSC"] as const) {
    const [base] = LOADS[cluster];
    const site = at(cluster, base);
    const app = (tasks: number, meanProcs: number): WorkflowDraft =>
      layeredWorkflow({ tasks, meanProcs, mostProcs: site.procs }, createRandom(SEED));
    const add = (figures: readonly string[], x: number, sites: readonly Played[], draft: WorkflowDraft) =>
      measured(points, { figures, place: cluster, x, alphas: [0, 1], sites }, draft, effort);
    tell(`${cluster}: trade-off, sizes of workflows and of tasks, loads\n`);
    const main = app(100, MEAN[cluster]);
    const wish = { figures: ["13", "52"], place: cluster, x: 100, alphas: ALPHAS, sites: [site] };
    measured(points, wish, main, effort);
    for (const tasks of [200, 400]) add(["14", "53"], tasks, [site], app(tasks, MEAN[cluster]));
    for (const mean of SIZES[cluster]) add(["15", "54"], mean, [site], app(100, mean));
    for (const load of LOADS[cluster]) {
      const own = {
        figures: ["16", "55"],
        place: cluster,
        x: load,
        alphas: [0.5],
        sites: [at(cluster, load)],
      };
      measured(points, own, main, effort);
    }
  }
  tell("several sites\n");
  const draft = layeredWorkflow(
    { tasks: 100, meanProcs: 14, mostProcs: 128, bytes: EDGE_BYTES },
    createRandom(SEED),
  );
  for (const count of [2, 4, 6]) {
    const sites = SITES.slice(0, count).map(([cluster, load]) => at(cluster, load));
    const wish = { figures: ["19", "56"], place: "sites", x: count, alphas: [0.5], sites };
    measured(points, wish, draft, effort);
  }
  tell("seismic hazard\n");
  const seismic = {
    ...{ pairs: effort.pairs, submissions: Math.max(1, Math.round(effort.submissions / 5)) },
    evaluations: Math.ceil(effort.evaluations / 5),
  };
  for (const load of LOADS.CTC) {
    const wish = { figures: ["18"], place: "CTC", x: load, alphas: [0.5], sites: [at("CTC", load)] };
    measured(points, wish, cyberShake(effort.pairs), seismic);
  }
  return points;
}

interface Wish {
  readonly figures: readonly string[];
  readonly place: string;
  readonly x: number;
  readonly alphas: readonly number[];
  readonly sites: readonly Played[];
}

/** Adds the points of one application on some sites: MOGA, and greedy where a figure has it. */
function measured(
  points: Point[],
  { figures, place, x, alphas, sites }: Wish,
  draft: WorkflowDraft,
  { submissions, evaluations }: Effort,
): void {
  const byMoga = alphas.map((): Outcome[] => []);
  const byPrice = alphas.map((): Outcome[] => []);
  const queued: Outcome[] = [];
  const work = draft.tasks.reduce((sum, { procs, runtimeMs = 0 }) => sum + procs * runtimeMs, 0);
  submitted(sites, submissions, (states, seed) => {
    const hours = bestEffortMs(states, instanceAt(draft, states, false)) / MS_PER_HOUR;
    queued.push({ hours, su: work / MS_PER_HOUR });
    for (const [at, one] of plansByMoga(draft, states, { alphas, seed, evaluations }).entries()) {
      byMoga[at].push(one);
    }
    if (figures.length === 1) return;
    for (const [at, alpha] of alphas.entries()) byPrice[at].push(greedyOnPrices(draft, states, alpha));
  });
  for (const [at, alpha] of alphas.entries()) {
    points.push({ figures: [figures[0]], place, x, planner: "MOGA", alpha, planned: byMoga[at], queued });
    if (figures.length === 1) continue;
    points.push({ figures: [figures[1]], place, x, planner: "greedy", alpha, planned: byPrice[at], queued });
  }
}

/** The states of sites at the instants of submission. */
function submitted(
  sites: readonly Played[],
  count: number,
  visit: (states: readonly SiteState[], seed: number) => void,
): void {
  const players = sites.map(playerOf);
  const instants = sites.map(({ jobs }) => instantsOf(jobs, count, SEED));
  for (let at = 0; at < count; at++) {
    visit(
      players.map((play, site) => play(instants[site][at])),
      at + 1,
    );
  }
}
