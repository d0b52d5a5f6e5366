/**
 * What is measured for each figure of [UP], draw by draw.
 */
import type { Policy } from "../../src/model/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { type Draws, mean, seeds } from "./draws.ts";
import { type PlayedSite, PROCS, partUsed, playSite } from "./play-sites.ts";
import { drawJobs, HOUR, MINUTE, type Stretch, tuple } from "./workload.ts";

const MEAN_MS = 10 * MINUTE;

/** Grid3, slide 28: the big one is there, goes, and is back; what the small one has of what is idle. */
export interface GridThree {
  readonly draws: Draws<"whileBusy" | "ofIdle" | "afterReturn">;
  readonly shown: PlayedSite;
}

/** As the policies say; with the shares as caps, so that nothing idle is lent; or by nobody. */
export type GridWay = "policies" | "caps" | "nobody";

/** In hours: the big one is there until 6, and from 14 on; two hours later it has what it wants. */
export function measureGridThree(way: GridWay, draws: number): GridThree {
  const shared = (consumer: string, percent: number): Policy => ({
    ...tuple(consumer, [3600 * 24, percent], [60, 100], way === "caps" ? "cap" : "entitlement"),
    mode: "shared",
  });
  const policies = [shared("usatlas", 35), shared("gridex", 0.1)];
  const played = seeds(draws).map((seed) => {
    const big = (from: number, until: number): Stretch => {
      return {
        consumer: "usatlas",
        jobs: ((until - from) * PROCS * 1.3) | 0,
        minutes: [from * 60, until * 60],
      };
    };
    const small: Stretch = { consumer: "gridex", jobs: PROCS * 30, minutes: [0, 20 * 60] };
    const jobs = drawJobs([big(0, 6), big(14, 20), small], HOUR, seed);
    const enforcer = way === "nobody" ? way : "ours";
    return playSite({ jobs, policies, enforcer, untilMs: 20 * HOUR, suspends: false });
  });
  const part = (consumer: string, hours: readonly [number, number]) =>
    played.map((site) => partUsed(site, consumer, [hours[0] * 60, hours[1] * 60]));
  const idle = part("usatlas", [9, 14]).map((used) => 1 - used);
  return {
    shown: played[0],
    draws: {
      whileBusy: part("gridex", [2, 6]),
      ofIdle: part("gridex", [9, 14]).map((used, at) => used / idle[at]),
      afterReturn: part("gridex", [17, 20]),
    },
  };
}

/** ART in minutes and AJC of a broker that knows the policies of five sites, and of one that does not. */
export function measureBrokers(draws: number): Draws<"artWith" | "artWithout" | "ajcWith" | "ajcWithout"> {
  const found = seeds(draws).map((seed) => {
    const jobs = drawJobs([{ consumer: "vo0", jobs: 400, minutes: [0, 60] }, others], MEAN_MS, seed);
    return { knows: broker(jobs, true), doesNot: broker(jobs, false) };
  });
  return {
    artWith: found.map(({ knows }) => knows.art),
    artWithout: found.map(({ doesNot }) => doesNot.art),
    ajcWith: found.map(({ knows }) => knows.ajc),
    ajcWithout: found.map(({ doesNot }) => doesNot.ajc),
  };
}

/** Of each site's capacity, what the organisation may use at most. */
const BURSTS = [5, 10, 20, 60, 90] as const;
const others: Stretch = { consumer: "vo1", jobs: 300, minutes: [0, 60] };

/** Each job goes where least work of its organisation is for what it may use there, or for what is there. */
function broker(
  jobs: readonly OwnedJob[],
  knowsPolicies: boolean,
): { readonly art: number; readonly ajc: number } {
  const sites = BURSTS.map((burst) => ({ burst, work: new Map<string, number>(), jobs: [] as OwnedJob[] }));
  for (const job of jobs) {
    const load = (it: (typeof sites)[number]) => {
      const isOurs = job.consumer === "vo0";
      return (it.work.get(job.consumer) ?? 0) / (knowsPolicies && isOurs ? it.burst : 100);
    };
    const best = sites.reduce((least, it) => (load(it) < load(least) ? it : least));
    best.work.set(job.consumer, (best.work.get(job.consumer) ?? 0) + job.estimateMs);
    best.jobs.push(job);
  }
  const played = sites.flatMap(({ burst, jobs: own }) => {
    const policies = [
      tuple("vo0", [3600, burst], [5, burst], "entitlement"),
      tuple("vo1", [3600, 100 - burst], [5, 100], "entitlement"),
    ];
    return playSite({ jobs: own, policies, enforcer: "ours", untilMs: 1.5 * HOUR }).jobs;
  });
  const ours = played.filter(({ job }) => job.consumer === "vo0");
  const responses = ours.flatMap(({ job, endMs }) =>
    endMs === null ? [] : [(endMs - job.submitMs) / MINUTE],
  );
  return { art: mean(responses), ajc: responses.length / ours.length };
}
