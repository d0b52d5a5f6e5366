/**
 * Figures 2 to 9 of [UP]: two sites, two organisations, two groups each, under an enforcer or under none.
 */
import type { Policy } from "../../src/model/index.ts";
import { type Draws, mean, seeds } from "./draws.ts";
import { type Enforcer, type PlayedSite, partUsed, playSite } from "./play-sites.ts";
import { dividedAmong, drawJobs, HOUR, MINUTE, TWO_BY_TWO, tuple } from "./workload.ts";

const MEAN_MS = 10 * MINUTE;

/** A way to play them. `organisations` enforces the policies of these alone. */
export interface TwoSitesWay {
  readonly rule: Policy["rule"];
  readonly form: "ours" | "literal" | "organisations" | "nobody";
}

/** What was used; parts of the capacity of both sites. */
export interface TwoSites extends TwoSitesWay {
  readonly draws: Draws<
    "vo0Alone" | "vo0Together" | "vo1Together" | "vo1Alone" | "vo0Epoch" | "group0" | "group1"
  >;
  /** The first site of the first draw, to be shown. */
  readonly shown: PlayedSite;
}

/** Plays both sites for each draw. */
export function measureTwoSites({ rule, form }: TwoSitesWay, draws: number): TwoSites {
  // The source's logic knows no groups.
  const policies = form === "ours" ? hourly(rule) : hourly(rule).slice(0, 2);
  const enforcer: Enforcer = form === "organisations" ? "ours" : form;
  const both = (stretches: typeof TWO_BY_TWO) =>
    seeds(draws).map((seed) =>
      dividedAmong(drawJobs(stretches, MEAN_MS, seed), 2, seed).map((jobs) =>
        playSite({ jobs, policies, enforcer, untilMs: HOUR }),
      ),
    );
  const played = both(TWO_BY_TWO);
  // Of the first one jobs are left when it has stopped submitting: the second one alone is another play.
  const alone = both(TWO_BY_TWO.slice(2));
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
      group0: each("vo0/group0", [28, 40]),
      group1: each("vo0/group1", [28, 40]),
    },
  };
}

function hourly(rule: Policy["rule"]): readonly Policy[] {
  return [
    tuple("vo0", [3600, 20], [5, 60], rule),
    tuple("vo1", [3600, 80], [5, 90], rule),
    ...["vo0", "vo1"].flatMap((vo) =>
      ["group0", "group1"].map((it) => tuple(`${vo}/${it}`, [3600, 50], [5, 100], rule)),
    ),
  ];
}
