/**
 * Figures 10 to 13 of [UP]: five sites and three organisations; the workload, all use, and the use of one
 * organisation and of one of its groups.
 */
import type { Policy } from "../../src/model/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { type Draws, mean, seeds } from "./draws.ts";
import { type Enforcer, type PlayedSite, partUsed, playSite } from "./play-sites.ts";
import { dividedAmong, drawJobs, HOUR, MINUTE, type Stretch, tuple } from "./workload.ts";

const MEAN_MS = 10 * MINUTE;
const SITES = 5;
const SHARES = [20, 30, 50] as const;
const BURST = 95;

/** How the sites are played: under the policies, those of organisations alone, as fixed parts, under none. */
export const FIVE_WAYS = ["policies", "organisations", "fixed parts", "nobody"] as const;
/** See {@link FIVE_WAYS}. */
export type FiveWay = (typeof FIVE_WAYS)[number];

/** What was used on all sites, as parts of their capacity. */
export type FiveSites = Draws<"used" | "vo0Together" | "group0" | "group1"> & {
  readonly jobs: readonly OwnedJob[];
  /** The sites of the first draw, to be shown. */
  readonly shown: readonly PlayedSite[];
};

/** Each comes ten minutes after the one before; of its groups one submits three times as many jobs. */
const STRETCHES = SHARES.flatMap((_, at): Stretch[] => [
  { consumer: `vo${at}/group0`, jobs: 330, minutes: [at * 10, 60] },
  { consumer: `vo${at}/group1`, jobs: 110, minutes: [at * 10, 60] },
]);

/** Plays them all for each draw. */
export function measureFiveSites(way: FiveWay, draws: number): FiveSites {
  const played = seeds(draws).map((seed) => {
    const jobs = drawJobs(STRETCHES, MEAN_MS, seed);
    const sites = dividedAmong(jobs, SITES, seed).map((own) =>
      playSite({ jobs: own, policies: policiesOf(way), enforcer: enforcerOf(way), untilMs: HOUR }),
    );
    return { jobs, sites };
  });
  const each = (consumer: string, minutes: readonly [number, number]) =>
    played.map(({ sites }) => mean(sites.map((site) => partUsed(site, consumer, minutes))));
  return {
    jobs: played[0].jobs,
    shown: played[0].sites,
    used: each("", [0, 60]),
    // All three are there from minute 20 on; what ran before them has ended by 35.
    vo0Together: each("vo0", [35, 60]),
    group0: each("vo0/group0", [35, 60]),
    group1: each("vo0/group1", [35, 60]),
  };
}

function enforcerOf(way: FiveWay): Enforcer {
  return way === "nobody" ? "nobody" : "ours";
}

function policiesOf(way: FiveWay): readonly Policy[] {
  return SHARES.flatMap((share, at) => {
    const own = tuple(`vo${at}`, [3600, share], [5, way === "fixed parts" ? share : BURST], "entitlement");
    const groups = ["group0", "group1"].map((it) =>
      tuple(`vo${at}/${it}`, [3600, 50], [5, 100], "entitlement"),
    );
    return way === "policies" ? [own, ...groups] : [own];
  });
}
