/**
 * Grid3 of [UP], slide 28: a big organisation that goes and comes back, and a small one.
 */
import type { Policy } from "../../src/model/index.ts";
import { type Draws, seeds } from "./draws.ts";
import { type PlayedSite, PROCS, partUsed, playSite } from "./play-sites.ts";
import { drawJobs, HOUR, type Stretch, tuple } from "./workload.ts";

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
