/**
 * Slide 29 of [UP], ART and AJC: a broker over five sites that asks for their verdicts before it sends, and
 * one that does not. Both are the recommender that live brokers use: rows by `policyVerdict`, of which what
 * is honoured now comes first (`worthTaking`), and the selector for the least used site.
 */
import { worthTaking } from "../../src/engine/index.ts";
import { ENFORCEMENT_DEFAULTS } from "../../src/model/index.ts";
import { policyVerdict, selectSite } from "../../src/policy/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { beginEnforced, type EnforcedSteps } from "../../src/sim/enforcing/play-enforced.ts";
import { type Draws, mean, seeds } from "./draws.ts";
import { PROCS } from "./play-sites.ts";
import { drawJobs, HOUR, MINUTE, type Stretch, tuple } from "./workload.ts";

/** How brokers send: by verdicts and use, by use alone; and the same where no site has policies. */
export const BROKER_WAYS = ["with", "without", "with, unenforced", "without, unenforced"] as const;
/** See {@link BROKER_WAYS}. */
export type BrokerWay = (typeof BROKER_WAYS)[number];
/** ART in minutes; AJC a part of those submitted. */
export type Brokered = Draws<"art" | "ajc">;

const MEAN_MS = 10 * MINUTE;
/** Of each site's capacity, what the organisation may use at most. */
const BURSTS = [5, 10, 20, 60, 90] as const;
const STRETCHES: readonly Stretch[] = [
  { consumer: "vo0", jobs: 400, minutes: [0, 60] },
  { consumer: "vo1", jobs: 300, minutes: [0, 60] },
];
const MILLION = 1_000_000;

/** Plays one of them. */
export function measureBrokers(way: BrokerWay, draws: number): Brokered {
  const found = seeds(draws).map((seed) => brokered(drawJobs(STRETCHES, MEAN_MS, seed), way));
  return { art: found.map(({ art }) => art), ajc: found.map(({ ajc }) => ajc) };
}

function brokered(jobs: readonly OwnedJob[], way: BrokerWay): { readonly art: number; readonly ajc: number } {
  const sites = BURSTS.map((burst, at) => ({ name: `site${at}`, steps: begun(burst, way) }));
  for (const job of jobs) {
    for (const { steps } of sites) steps.playUntil(job.submitMs);
    const rows = sites.map((site) => rowOf(site, job, way));
    const state = { lastSite: null, drawn: 0 };
    selectSite(worthTaking(rows), "leastUsed", state)?.steps.offer(job);
  }
  const ours = sites.flatMap(({ steps }) => steps.finish().jobs).filter(({ job }) => job.consumer === "vo0");
  const responses = ours.flatMap(({ job, endMs }) =>
    endMs === null ? [] : [(endMs - job.submitMs) / MINUTE],
  );
  return { art: mean(responses), ajc: responses.length / ours.length };
}

function begun(burst: number, way: BrokerWay): EnforcedSteps {
  const isUnenforced = way.endsWith("unenforced");
  const policies = [
    tuple("vo0", [3600, isUnenforced ? 50 : burst], [5, isUnenforced ? 100 : burst], "entitlement"),
    tuple("vo1", [3600, isUnenforced ? 50 : 100 - burst], [5, 100], "entitlement"),
  ];
  return beginEnforced({
    site: "site",
    capacity: { cpu: PROCS, gpu: 0, memory: 0 },
    policies: [{ fromMs: 0, policies }],
    rules: {
      ...ENFORCEMENT_DEFAULTS,
      granted: ["hold", "suspend"],
      actionsPerHour: MILLION,
      suspendedPpm: MILLION,
      maxSuspensions: MILLION,
    },
    jobs: [],
    untilMs: 1.5 * HOUR,
  });
}

function rowOf(
  { name, steps }: { readonly name: string; readonly steps: EnforcedSteps },
  { consumer, need, submitMs }: OwnedJob,
  way: BrokerWay,
) {
  const standing = steps.standing(submitMs);
  const { when } = policyVerdict(standing, { consumer, need }, submitMs);
  const used = standing.taken.cpu + standing.waitingProcs;
  return {
    ...{ site: name, steps, takesJobs: true },
    honoured: way.startsWith("without") ? ("now" as const) : when,
    usedPpm: Math.floor((MILLION * used) / PROCS),
    ...{ lastSentMs: null, predictedStartMs: null, costProcMs: null },
  };
}
