import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { type PlainPoliced, plainOpen } from "../../../../test/plain/plain-denials.ts";
import {
  ENFORCEMENT_DEFAULTS,
  JOB_DEFAULTS,
  POLICY_DEFAULTS,
  type Policy,
  type SiteSpec,
} from "../../../model/index.ts";

const { numRuns: RUNS } = draws(150);

const percent = fc.constantFrom(10, 30, 50, 100);
const handedOn = fc.oneof(
  fc.constant({}),
  percent.map((group) => ({ "vo/group": group })),
);
/** Either organisation, both, or nobody. */
const bursts = fc.oneof(
  fc.constant({}),
  percent.map((atlas) => ({ atlas })),
  percent.map((vo) => ({ vo })),
  fc.tuple(percent, percent).map(([vo, atlas]) => ({ vo, atlas })),
);
const aSite = fc.record({
  procs: fc.constantFrom(4, 10),
  isGranted: fc.boolean(),
  isPaused: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
  bursts,
});
const jobs = fc.array(
  fc.record({
    consumer: fc.constantFrom("vo/group/u", "vo/other/u", "atlas/u", "cms/u"),
    procs: fc.integer({ min: 1, max: 8 }),
    names: fc.constantFrom(null, null, 0, 1),
  }),
  { minLength: 1, maxLength: 8 },
);

const policy = (consumer: string, provider: string, burstPercent: number): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider, consumer },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 100_000 },
  burst: { bucketMs: 60_000, sharePpm: burstPercent * 10_000 },
});

function add(play: Scene, name: string, procs: number, isGranted: boolean): void {
  const spec: SiteSpec = {
    ...{ type: "managed", procs, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
    enforcement: { ...ENFORCEMENT_DEFAULTS, granted: [isGranted ? "hold" : "watch"] },
  };
  expect(play.ask({ kind: "addSite", site: name, spec })).toBe("ok");
}

describe("a job that policies may deny", () => {
  it("PO-21 EN-5 EN-110 goes to a site that admits it, else to one without enforcement, or nowhere", () => {
    fc.assert(
      fc.property(
        fc.array(aSite, { minLength: 1, maxLength: 2 }),
        handedOn,
        jobs,
        (drawn, groups, requests) => {
          const play = scene({});
          const isNamed = drawn.some((site) => "vo" in site.bursts);
          const sites = drawn.map((site, at): PlainPoliced => {
            const name = `s${at}`;
            add(play, name, site.procs, site.isGranted);
            const isEnforced = site.isGranted && !site.isPaused;
            return {
              name,
              procs: site.procs,
              isEnforced,
              bursts: site.bursts,
              handedOn: isNamed ? groups : {},
            };
          });
          const policies = [
            ...sites.flatMap(({ name, bursts: given }) =>
              Object.entries(given).map(([consumer, burst]) => policy(consumer, name, burst)),
            ),
            ...(isNamed ? Object.entries(groups).map(([group, burst]) => policy(group, "vo", burst)) : []),
          ];
          const whole = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
          expect(play.ask({ kind: "applyPolicies", policies, ...whole })).toBe("ok");
          for (const [at, { isPaused }] of drawn.entries()) {
            if (isPaused) play.ask({ kind: "pauseEnforcement", site: `s${at}`, by: "admin" });
          }
          for (const [at, { consumer, procs, names }] of requests.entries()) {
            const named = names === null ? sites : sites.slice(names, names + 1);
            const site = named.length === 1 && names !== null ? { site: `s${names}` } : {};
            const usable = names !== null && named.length === 0 ? [] : named;
            if (!usable.some((one) => procs <= one.procs)) continue;
            const description = { ...JOB_DEFAULTS, executable: "true", procs, ...site };
            const request = { kind: "submit", job: `j${at}`, description, consumer, owner: "u" } as const;
            const open = plainOpen(named, consumer, procs);
            expect(play.ask(request)).toBe(open.length > 0 ? "ok" : "policyDenied");
            play.settle();
            if (open.length > 0) expect(open).toContain(play.records.get(`j${at}`)?.site);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
