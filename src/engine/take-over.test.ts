import { describe, expect, it } from "vitest";
import { NOTHING_STORED, scene } from "../../test/engine-scene.ts";
import { ENFORCEMENT_DEFAULTS, type JobRecord, type Policy, type SiteSpec } from "../model/index.ts";
import { restore } from "./index.ts";

const MINUTE = 60_000;
const PROCS = 4;
const JOBS = 400;

const SITE: SiteSpec = {
  ...{ type: "managed", procs: PROCS, memoryBytes: 2 ** 30, discipline: "fcfs" },
  ...{ defaultWallTimeMs: 10 * MINUTE, enforcement: ENFORCEMENT_DEFAULTS },
};

/** Half of the processors of a site for an organisation. */
function policy(provider: string, consumer: string): Policy {
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "repay" },
    epoch: { window: { kind: "sliding", lengthMs: 60 * MINUTE }, sharePpm: 500_000 },
    burst: { bucketMs: MINUTE, sharePpm: 1_000_000 },
  };
}

/** The stored state of a broker with these jobs and sites, and a policy and an organisation for each site. */
function storedWith(sites: number) {
  const play = scene(Object.fromEntries(Array.from({ length: sites }, (_, site) => [`s${site}`, PROCS])));
  for (let job = 0; job < JOBS; job++) play.submit(`j${job}`, 1, { site: `s${job % sites}` });
  play.settle();
  const numbers = Array.from({ length: sites }, (_, site) => site);
  return {
    ...NOTHING_STORED,
    sites: numbers.map((site) => ({ name: `s${site}`, spec: SITE, order: site + 1, isDraining: false })),
    jobs: [...play.projection.jobs.values()],
    accepted: JOBS,
    policies: [
      {
        ...{ version: 1, by: "admin", note: "", appliedAtMs: 0, effectiveFromMs: 0 },
        policies: numbers.map((site) => policy(`s${site}`, "vo")),
      },
    ],
    vos: numbers.map((site) => ({
      ...{ vo: `vo${site}`, selector: null, enforcement: { extraPpm: 0 }, changedAtMs: 0, by: "admin" },
      ...{ lastSite: null, sentAtMs: {} },
    })),
  };
}

/** How often a restart asks jobs where they are or whose. */
function looksOfRestart(sites: number): number {
  let looks = 0;
  const stored = storedWith(sites);
  const jobs = stored.jobs.map(
    (job): JobRecord =>
      new Proxy(job, {
        get(record, name, receiver) {
          if (name === "site" || name === "consumer") looks++;
          return Reflect.get(record, name, receiver);
        },
      }),
  );
  restore({ ...stored, jobs }, 1000);
  return looks;
}

describe("a restart", () => {
  it("EN-5 visits each job equally often, however many sites and organisations there are", () => {
    const one = looksOfRestart(1);
    expect(one).toBeGreaterThanOrEqual(JOBS);
    for (const sites of [10, 50]) expect(looksOfRestart(sites)).toBeLessThanOrEqual(1.1 * one);
  });
});
