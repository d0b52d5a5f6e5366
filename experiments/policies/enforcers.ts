/**
 * Figures 14 to 21 of [UP]: one site under an S-PEP, under batch systems that know shares, and under nobody.
 */
import type { Policy } from "../../src/model/index.ts";
import { BATCH_SYSTEMS, type BatchSystemName, type Promised, SYSTEMS } from "./batch-systems.ts";
import { type Draws, seeds } from "./draws.ts";
import { playBatch } from "./play-batch.ts";
import { type PlayedSite, PROCS, playSite, type Violations, violationsOf } from "./play-sites.ts";
import { drawJobs, HOUR, MINUTE, TWO_BY_TWO, tuple } from "./workload.ts";

/** Of the source's policies here: 3000 s and 30 s. */
const EPOCH_SEC = 3000;
const BURST_SEC = 30;
const MEAN_MS = 10 * MINUTE;
const PROMISED: ReadonlyMap<string, Promised> = new Map([
  ["vo0", { epoch: 0.2, burst: 0.6 }],
  ["vo1", { epoch: 0.8, burst: 0.9 }],
]);

/** The S-PEPs, by name. */
export const S_PEPS = ["S-PEP, literal", "S-PEP, ours, cap", "S-PEP, ours, entitlement"] as const;
/** Who enforces. */
export type EnforcerName = (typeof S_PEPS)[number] | BatchSystemName | "nobody";

/** By name; draws of the same workloads, so that they can be compared one by one. */
export type Enforced = ReadonlyMap<EnforcerName, Draws<keyof Violations>>;

/** Plays all of them. */
export function measureEnforcers(draws: number): Enforced {
  const names: readonly EnforcerName[] = [...S_PEPS, ...BATCH_SYSTEMS, "nobody"];
  return new Map(names.map((name) => [name, measure(name, draws)]));
}

function measure(name: EnforcerName, draws: number): Draws<keyof Violations> {
  // Measured by the same words, whoever enforces.
  const found = seeds(draws).map((seed) => violationsOf(played(name, seed), policiesOf("cap")));
  const all = (of: keyof Violations) => found.map((it) => it[of]);
  return { burst: all("burst"), epoch: all("epoch"), used: all("used") };
}

function played(name: EnforcerName, seed: number): PlayedSite {
  const half = TWO_BY_TWO.map((it) => ({ ...it, jobs: it.jobs / 2 }));
  const jobs = drawJobs(half, MEAN_MS, seed);
  switch (name) {
    case "S-PEP, literal":
      return playSite({ jobs, policies: policiesOf("cap"), enforcer: "literal", untilMs: HOUR });
    case "S-PEP, ours, cap":
      return playSite({ jobs, policies: policiesOf("cap"), enforcer: "ours", untilMs: HOUR });
    case "S-PEP, ours, entitlement":
      return playSite({ jobs, policies: policiesOf("entitlement"), enforcer: "ours", untilMs: HOUR });
    case "nobody":
      return playSite({ jobs, policies: [], enforcer: "nobody", untilMs: HOUR });
    default: {
      const order = { jobs, procs: PROCS, epochMs: EPOCH_SEC * 1000, promised: PROMISED, untilMs: HOUR };
      return { jobs: playBatch(order, SYSTEMS[name]), procs: PROCS, untilMs: HOUR };
    }
  }
}

function policiesOf(rule: Policy["rule"]): readonly Policy[] {
  return [...PROMISED].map(([vo, { epoch, burst }]) =>
    tuple(vo, [EPOCH_SEC, epoch * 100], [BURST_SEC, burst * 100], rule),
  );
}
