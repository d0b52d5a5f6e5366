/**
 * Runs what is asked of price-sensitive and of strategic users.
 */
import { setImmediate as letOthers } from "node:timers/promises";
import { MS_PER_HOUR } from "../../src/base/index.ts";
import type { EstimateRule } from "../../src/model/index.ts";
import { jobsOf, numbered, withDuplicates, withinDays } from "../jobs-of.ts";
import type { Cluster } from "../slots/clusters.ts";
import { chooseSites, type HomeSite, type Spread } from "./choose-sites.ts";
import { type Compared, overstatedDelays, overstatedTimes, reservedInstead } from "./lie.ts";

/** One setting of the sites. */
export interface MeasuredSpread extends Spread {
  readonly share: number;
  readonly alpha: number;
  readonly looks: "at home" | "everywhere";
}

/** One lie on one cluster. */
export interface MeasuredLie extends Compared {
  readonly cluster: string;
  readonly estimates: EstimateRule;
  readonly lie: "time" | "delay cost" | "reserve";
  /** The factor of a lie, or α. */
  readonly amount: number;
}

/** Everything. */
export interface MeasuredUsers {
  readonly sites: readonly string[];
  readonly spreads: readonly MeasuredSpread[];
  readonly lies: readonly MeasuredLie[];
}

/** The parts of the jobs that look for prices. */
export const SHARES = [0.1, 0.3, 0.5] as const;
/** By how much estimates are overstated. */
export const TIME_FACTORS = [2, 5] as const;
/** By how much delay costs are overstated. */
export const DELAY_FACTOR = 10;
/** Of those who reserve instead of queueing. */
export const ALPHAS = [0, 0.5, 1] as const;
const SITE_ALPHAS = [0, 0.5] as const;
const DAY_MS = 24 * MS_PER_HOUR;

/** Runs all of it. */
export async function measureUsers(
  clusters: readonly Cluster[],
  days: number,
  tell: (text: string) => void,
): Promise<MeasuredUsers> {
  const homes = await homesOf(clusters, days);
  const spreads: MeasuredSpread[] = [];
  for (const share of SHARES) {
    for (const alpha of SITE_ALPHAS) {
      for (const looks of ["at home", "everywhere"] as const) {
        tell(`${homes.length} sites: ${share * 100} % look ${looks}, α = ${alpha}\n`);
        spreads.push({ share, alpha, looks, ...chooseSites(homes, { share, alpha, looks, seed: 1 }) });
        await letOthers();
      }
    }
  }
  const lies: MeasuredLie[] = [];
  for (const cluster of clusters) {
    tell(`${cluster.name}: lies\n`);
    lies.push(...(await liesAt(cluster, days)));
  }
  return { sites: homes.map(({ name }) => name), spreads, lies };
}

async function liesAt({ name, trace, procs }: Cluster, days: number): Promise<readonly MeasuredLie[]> {
  const lies: MeasuredLie[] = [];
  for (const estimates of ["exact", "requested"] as const) {
    const scene = { jobs: withinDays(await jobsOf({ trace, procs, estimates }), days), procs };
    const at = { cluster: name, estimates };
    if (estimates === "exact") {
      for (const amount of TIME_FACTORS)
        lies.push({ ...at, lie: "time", amount, ...overstatedTimes(scene, amount) });
      lies.push({
        ...at,
        ...{ lie: "delay cost", amount: DELAY_FACTOR },
        ...overstatedDelays(scene, DELAY_FACTOR),
      });
    }
    for (const amount of ALPHAS)
      lies.push({ ...at, lie: "reserve", amount, ...reservedInstead(scene, amount) });
    await letOthers();
  }
  return lies;
}

/** The clusters in their first days, the last one busier, and once more in the days after. */
async function homesOf(clusters: readonly Cluster[], days: number): Promise<readonly HomeSite[]> {
  const homes: HomeSite[] = [];
  for (const { name, trace, procs } of clusters) {
    const log = await jobsOf({ trace, procs, estimates: "exact" });
    const first = withinDays(log, days);
    if (homes.length < clusters.length - 1) homes.push({ name, procs, jobs: first });
    else {
      homes.push({ name: `${name} + 40 %`, procs, jobs: withDuplicates(first, 0.4, 1) });
      const after = log.filter(({ submitMs }) => submitMs >= days * DAY_MS && submitMs < 2 * days * DAY_MS);
      const moved = after.map((job) => ({ ...job, submitMs: job.submitMs - days * DAY_MS }));
      homes.push({ name: `${name}, later`, procs, jobs: numbered(moved) });
    }
  }
  return homes;
}
