import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { policy, SITE } from "../../../test/enforced-scene.ts";
import { type PolicedJob, plainPolicedSite } from "../../../test/plain/plain-policed-site.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementRules, type Policy } from "../../model/index.ts";
import { playEnforced } from "./play-enforced.ts";

const { numRuns: RUNS } = draws(150);
const POOLS = [
  { cpu: 5, gpu: 2, memory: 8 },
  { cpu: 3, gpu: 0, memory: 4 },
];
const CAPACITY = { cpu: 8, gpu: 2, memory: 12 };

const jobs = fc.array(
  fc.record({
    consumer: fc.constantFrom("a/x", "a/x", "a/y", "b/u", "b/u", "c"),
    afterMs: fc.constantFrom(0, 0, 0, 1, 3, 6),
    cpu: fc.constantFrom(1, 1, 2, 3, 4),
    gpu: fc.constantFrom(0, 0, 0, 1),
    memory: fc.constantFrom(0, 0, 1, 3),
    runtimeMs: fc.integer({ min: 1, max: 12 }),
    laterMs: fc.constantFrom(0, 0, 3, 20),
    pools: fc.constantFrom<readonly number[] | undefined>(undefined, undefined, [0], [1]),
    takenMs: fc.constantFrom(undefined, undefined, undefined, 4, 9),
  }),
  { minLength: 3, maxLength: 12, size: "max" },
);

/** In order of submission; those that fit no pool are refused before anything is played. */
function jobsOf(drawn: typeof jobs extends fc.Arbitrary<infer All> ? All : never): readonly PolicedJob[] {
  let submitMs = 0;
  return drawn.flatMap(({ afterMs, cpu, gpu, memory, laterMs, runtimeMs, pools, takenMs, ...rest }, at) => {
    submitMs += afterMs;
    const fitting = (pools ?? [0, 1]).some(
      (pool) => cpu <= POOLS[pool].cpu && gpu <= POOLS[pool].gpu && memory <= POOLS[pool].memory,
    );
    if (!fitting) return [];
    const job = { ...rest, id: `j${at}`, submitMs, need: { cpu, gpu, memory }, runtimeMs };
    const taken = takenMs === undefined ? {} : { takenMs: submitMs + takenMs };
    return [{ ...job, estimateMs: runtimeMs + laterMs, ...(pools === undefined ? {} : { pools }), ...taken }];
  });
}

const terms = fc.record({
  resource: fc.constantFrom<Policy["resource"]>("cpu", "cpu", "gpu", "memory"),
  epoch: fc.constantFrom(20, 30, 50, 80),
  more: fc.constantFrom(0, 20, 100),
  rule: fc.constantFrom<Policy["rule"]>("entitlement", "entitlement", "cap"),
  mode: fc.constantFrom<Policy["mode"]>("shared", "shared", "preempting", "dedicated"),
  windowMs: fc.constantFrom(5, 20, 1000),
});
const policies = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "a/x", "a/y", "c"), terms), {
    minLength: 1,
    maxLength: 6,
    size: "max",
  })
  .map((drawn) => {
    const all = drawn.map(([consumer, { epoch, more, ...rest }]) =>
      policy(consumer, epoch, { burst: Math.min(100, epoch + more), ...rest }),
    );
    // One of a level and a resource; a level below is given its share by what is named above.
    const once = new Map(all.map((it) => [`${it.resource} ${it.consumer}`, it]));
    return [...once.values()].map((it) =>
      once.has(`${it.resource} ${it.provider}`) ? it : { ...it, provider: SITE },
    );
  });

const granted = fc.constantFrom<EnforcementRules["granted"]>(["hold"], ["hold"], ["hold", "requeue"]);

describe("a workload over pools under policies", () => {
  it("SI-80 incremental passes give the results of complete ones", () => {
    fc.assert(
      fc.property(jobs, policies, granted, fc.constantFrom(0, 4), (drawn, named, steps, minRunMs) => {
        const all = jobsOf(drawn);
        const rules = {
          ...{ ...ENFORCEMENT_DEFAULTS, granted: steps, minRunMs },
          actionsPerHour: Number.MAX_SAFE_INTEGER,
        };
        const site = { site: SITE, pools: POOLS, policies: named, rules };
        const { jobs: outcomes } = playEnforced({
          ...{
            site: SITE,
            capacity: CAPACITY,
            pools: POOLS,
            policies: [{ fromMs: 0, policies: named }],
            rules,
          },
          jobs: all,
          takenAway: all
            .flatMap(({ id, takenMs }) => (takenMs === undefined ? [] : [{ atMs: takenMs, job: id }]))
            .sort((one, other) => one.atMs - other.atMs),
        });
        const ours = outcomes.map(({ job, runs, endMs, pool, gone }) => ({
          ...{ id: job.id, endMs, pool, isGone: gone !== null },
          runs: runs.map(({ fromMs, toMs }) => [fromMs, toMs]),
        }));
        expect(ours).toEqual(plainPolicedSite(site, all));
      }),
      { numRuns: RUNS },
    );
  });
});
