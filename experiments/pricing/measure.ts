/**
 * Runs everything that figures 23 to 31 of [PROV] are drawn from: each setting once, whatever needs it.
 */
import { setImmediate as letOthers } from "node:timers/promises";
import type { EstimateRule } from "../../src/model/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { jobsOf, withDuplicates, withinDays } from "../jobs-of.ts";
import type { Cluster } from "../slots/clusters.ts";
import { drawnBy, meanOf, type Priced, play, pricedOf } from "./play.ts";

/** One setting of the source's experiments. */
export interface Setting {
  readonly discipline: "conservative" | "easy";
  readonly estimates: EstimateRule;
  /** The part of the jobs that reserves. */
  readonly share: number;
  readonly alpha: number | "random";
  /** The part of the jobs that is there twice. */
  readonly added: number;
  /** The first days of the log, or all of it. */
  readonly period: "first days" | "whole log";
  /** Against promises, which jobs keep that still fit; or after the letter, with all jobs planned anew. */
  readonly prices: "kept" | "anew";
}

/** A setting on a cluster, in means over its draws. */
export interface Measured extends Setting {
  readonly cluster: Cluster;
  readonly jobs: number;
  readonly draws: number;
  readonly priced: Priced;
}

/** How much is run. */
export interface PricingScope {
  readonly days: number;
  /** Draws of who reserves; of the whole log, and under EASY, which takes long, there is one. */
  readonly draws: number;
  readonly includesWholeLogs: boolean;
}

/** The trade-off factors of the figures. */
export const ALPHAS = [0, 0.25, 0.5, 0.75, 1] as const;
/** The parts of the jobs that are there twice in figures 25, 26 and 29. */
export const LOADS = [0, 0.2, 0.4] as const;
/** The parts of the jobs that reserve in figure 27. */
export const SHARES = [0.1, 0.2, 0.4, 0.6, 0.8, 0.9] as const;
/** Which the source names for the same experiments. */
export const VARIANTS = [
  { discipline: "conservative", estimates: "exact" },
  { discipline: "conservative", estimates: "requested" },
  { discipline: "easy", estimates: "exact" },
  { discipline: "easy", estimates: "requested" },
] as const;

/** Where prices after the letter are held against ours. */
export const PRICED_ANEW = (["exact", "requested"] as const).flatMap((estimates) =>
  ([0, 0.5] as const).map((alpha) => ({ estimates, alpha })),
);

const MILLION = 1_000_000;

/** What the figures of chapter 5 take unless they vary it. */
export const BASE = {
  discipline: "conservative",
  estimates: "exact",
  share: 0.1,
  alpha: 0,
  added: 0,
  period: "first days",
  prices: "kept",
} as const satisfies Setting;

function settingsOf({ includesWholeLogs }: PricingScope): readonly Setting[] {
  const each = (over: readonly Partial<Setting>[]): Setting[] => over.map((it) => ({ ...BASE, ...it }));
  const alphas = (more: Partial<Setting>) => each(ALPHAS.map((alpha) => ({ ...more, alpha })));
  const all = [
    ...VARIANTS.flatMap(alphas),
    ...LOADS.flatMap((added) => alphas({ added })),
    ...each(SHARES.map((share) => ({ share }))),
    ...alphas({ share: 0.5 }),
    ...(["conservative", "easy"] as const).flatMap((discipline) =>
      each(LOADS.map((added) => ({ discipline, added, alpha: "random" }))),
    ),
    ...each(PRICED_ANEW.flatMap((it) => [{ ...it, prices: "anew" as const }, it])),
    ...(includesWholeLogs ? wholeLogs(alphas) : []),
  ];
  return [...new Map(all.map((setting) => [keyOf(setting), setting])).values()];
}

/** Under conservative backfilling a whole log takes seconds. */
function wholeLogs(alphas: (more: Partial<Setting>) => Setting[]): readonly Setting[] {
  const period = "whole log";
  return [
    ...alphas({ period }),
    ...alphas({ period, estimates: "requested" }),
    ...alphas({ period, share: 0.5 }),
  ];
}

function keyOf({ discipline, estimates, share, alpha, added, period, prices }: Setting): string {
  return [discipline, estimates, share, alpha, added, period, prices].join(" ");
}

/** Everything, cluster by cluster. */
export async function measureAll(
  clusters: readonly Cluster[],
  scope: PricingScope,
  tell: (text: string) => void,
): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  for (const cluster of clusters) {
    const { trace, procs, name } = cluster;
    const exact = await jobsOf({ trace, procs, estimates: "exact" });
    const requested = await jobsOf({ trace, procs, estimates: "requested" });
    for (const setting of settingsOf(scope)) {
      tell(`${name}: ${keyOf(setting)}\n`);
      all.push(measure(cluster, setting, { exact, requested }[setting.estimates], scope));
      await letOthers();
    }
  }
  return all;
}

function measure(
  cluster: Cluster,
  setting: Setting,
  log: readonly WorkloadJob[],
  { days, draws: most }: PricingScope,
): Measured {
  const { discipline, share, alpha, added, period, prices } = setting;
  const isPlannedAnew = prices === "anew";
  const jobs = period === "whole log" ? log : withinDays(log, days);
  // Figure 29 compares with EASY, so what it compares is drawn as often.
  const isDrawnOnce = period === "whole log" || discipline === "easy" || alpha === "random";
  const draws = isDrawnOnce ? 1 : most;
  const rules = {
    sharePpm: Math.round(share * MILLION),
    alphaPpm: alpha === "random" ? alpha : Math.round(alpha * MILLION),
  };
  const all = Array.from({ length: draws }, (_, seed) => {
    const taken = added === 0 ? jobs : withDuplicates(jobs, added, seed);
    return pricedOf(
      play({ jobs: taken, procs: cluster.procs, discipline, alphaOf: drawnBy(rules, seed), isPlannedAnew }),
    );
  });
  return { ...setting, cluster, jobs: jobs.length, draws, priced: meanOf(all) };
}

/** What came of a setting, said by how it differs from the base. */
export function found(all: readonly Measured[], name: string, differing: Partial<Setting>): Priced {
  const key = keyOf({ ...BASE, ...differing });
  const one = all.find((it) => it.cluster.name === name && keyOf(it) === key);
  if (one === undefined) throw new Error(`what must hold: ${name} ${key} was run`);
  return one.priced;
}
