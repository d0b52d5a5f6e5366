/**
 * What is measured for each figure of [UP], draw by draw.
 */
import type { Policy } from "../../src/model/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { OWN_SHARES } from "./own-shares.ts";
import {
  type Enforcer,
  type PlayedSite,
  PROCS,
  partUsed,
  playSite,
  type Violations,
  violationsOf,
} from "./play-sites.ts";
import { dividedAmong, drawJobs, HOUR, MINUTE, type Stretch, TWO_BY_TWO, tuple } from "./workload.ts";

/** Measures of one way to enforce, a value for each draw. */
export type Draws<Measure extends string> = Readonly<Record<Measure, readonly number[]>>;

const MEAN_MS = 10 * MINUTE;

/** Figures 2 to 9: what VO0 and VO1 have alone and together, by rule and form. */
export interface TwoSites {
  readonly rule: Policy["rule"];
  readonly form: "ours" | "literal";
  readonly draws: Draws<
    "vo0Alone" | "vo0Together" | "vo1Together" | "vo1Alone" | "vo0Epoch" | "group0" | "group1"
  >;
  /** The first site of the first draw, to be shown. */
  readonly shown: PlayedSite;
}

const hourly = (rule: Policy["rule"]): readonly Policy[] => [
  tuple("vo0", [3600, 20], [5, 60], rule),
  tuple("vo1", [3600, 80], [5, 90], rule),
  ...["vo0", "vo1"].flatMap((vo) =>
    ["group0", "group1"].map((it) => tuple(`${vo}/${it}`, [3600, 50], [5, 100], rule)),
  ),
];

/** Plays both sites for each draw. */
export function measureTwoSites(rule: Policy["rule"], form: TwoSites["form"], draws: number): TwoSites {
  const policies = form === "literal" ? hourly(rule).slice(0, 2) : hourly(rule);
  const played = seeds(draws).map((seed) =>
    dividedAmong(drawJobs(TWO_BY_TWO, MEAN_MS, seed), 2, seed).map((jobs) =>
      playSite({ jobs, policies, enforcer: form, untilMs: HOUR }),
    ),
  );
  // Of the first one jobs are left when it has stopped submitting: the second one alone is another play.
  const alone = seeds(draws).map((seed) =>
    dividedAmong(drawJobs(TWO_BY_TWO.slice(2), MEAN_MS, seed), 2, seed).map((jobs) =>
      playSite({ jobs, policies, enforcer: form, untilMs: HOUR }),
    ),
  );
  const each = (consumer: string, minutes: readonly [number, number], of = played) =>
    of.map((sites) => mean(sites.map((site) => partUsed(site, consumer, minutes))));
  return {
    rule,
    form,
    shown: played[0][0],
    draws: {
      vo0Alone: each("vo0", [8, 18]),
      vo0Together: each("vo0", [28, 40]),
      vo1Together: each("vo1", [28, 40]),
      vo1Alone: each("vo1", [40, 60], alone),
      vo0Epoch: each("vo0", [0, 60]),
      group0: each("vo0/group0", [0, 60]),
      group1: each("vo0/group1", [0, 60]),
    },
  };
}

/** Figures 10 to 13: five sites, three organisations; what is used with and without policies. */
export function measureFiveSites(draws: number): Draws<"with" | "without" | "ratio"> {
  const stretches = ["vo0", "vo1", "vo2"].flatMap((vo, at): Stretch[] =>
    ["group0", "group1"].map((group) => ({ consumer: `${vo}/${group}`, jobs: 220, minutes: [at * 10, 60] })),
  );
  const shares = [20, 30, 50];
  const policies = shares.flatMap((share, at) => [
    tuple(`vo${at}`, [3600, share], [5, 95], "entitlement"),
    ...["group0", "group1"].map((it) => tuple(`vo${at}/${it}`, [3600, 50], [5, 100], "entitlement")),
  ]);
  const used = (enforcer: Enforcer) =>
    seeds(draws).map((seed) => {
      const sites = dividedAmong(drawJobs(stretches, MEAN_MS, seed), 5, seed);
      return mean(
        sites.map((jobs) => partUsed(playSite({ jobs, policies, enforcer, untilMs: HOUR }), "", [0, 60])),
      );
    });
  const [held, free] = [used("ours"), used("nobody")];
  return { with: held, without: free, ratio: held.map((value, at) => value / free[at]) };
}

/** Figures 14 to 21: the ways to enforce on one site, by name. */
export function measureEnforcers(draws: number): ReadonlyMap<string, Draws<keyof Violations>> {
  const policies = (["cap", "entitlement"] as const).map((rule) => [
    tuple("vo0", [3000, 20], [30, 60], rule),
    tuple("vo1", [3000, 80], [30, 90], rule),
  ]);
  const [capped, entitled] = policies;
  const ways = new Map<string, { readonly enforcer: Enforcer; readonly policies: readonly Policy[] }>([
    ["S-PEP, literal", { enforcer: "literal", policies: capped }],
    ["S-PEP, ours, cap", { enforcer: "ours", policies: capped }],
    ["S-PEP, ours, entitlement", { enforcer: "ours", policies: entitled }],
    ...Object.entries(OWN_SHARES).map(([name, enforcer]) => [name, { enforcer, policies: capped }] as const),
  ]);
  const measured = [...ways].map(([name, way]) => {
    const found = seeds(draws).map((seed) => {
      const jobs = drawJobs(oneSite(TWO_BY_TWO), MEAN_MS, seed);
      // Measured by the same words, whoever enforces.
      return violationsOf(playSite({ jobs, ...way, untilMs: HOUR }), capped);
    });
    const all = (measure: keyof Violations) => found.map((it) => it[measure]);
    return [name, { burst: all("burst"), epoch: all("epoch"), used: all("used") }] as const;
  });
  return new Map(measured);
}

/** The same load on one site: half of the jobs. */
function oneSite(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.map((it) => ({ ...it, jobs: it.jobs / 2 }));
}

/** Grid3, slide 28: the big one is there, goes, and is back; what the small one has of what is idle. */
export interface GridThree {
  readonly draws: Draws<"whileBusy" | "ofIdle" | "afterReturn">;
  readonly shown: PlayedSite;
}

/** In hours: the big one is there until 6, and from 14 on; two hours later it has what it wants. */
export function measureGridThree(draws: number): GridThree {
  const day = [3600 * 24, 35] as const;
  const shared = (consumer: string, percent: number): Policy => ({
    ...tuple(consumer, [day[0], percent], [60, 100], "entitlement"),
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
    return playSite({ jobs, policies, enforcer: "ours", untilMs: 20 * HOUR, suspends: false });
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

/** The mean of some values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function seeds(draws: number): readonly number[] {
  return Array.from({ length: draws }, (_, at) => 2005 + at);
}
