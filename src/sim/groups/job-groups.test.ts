import "../../../test/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GroupedJob, JobGroups } from "./job-groups.ts";

const HOUR = 3_600_000;

const drawn = fc.array(
  fc.record({
    user: fc.constantFrom("1", "2", "3", "-1"),
    group: fc.constantFrom("a", ""),
    procs: fc.integer({ min: 1, max: 20 }),
    submitMs: fc.nat(HOUR),
    waitMs: fc.nat(5 * HOUR),
    runtimeMs: fc.integer({ min: 1, max: 3 * HOUR }),
  }),
  { minLength: 1, maxLength: 40 },
);
type Drawn = typeof drawn extends fc.Arbitrary<infer Jobs> ? Jobs : never;

interface Ended {
  readonly user: string;
  readonly group: string;
  readonly procs: number;
  readonly submitMs: number;
  readonly waitMs: number;
  readonly runtimeMs: number;
}

const ended = ({ procs, waitMs, ...job }: Ended): GroupedJob => {
  const startMs = job.submitMs + waitMs;
  return { job: { ...job, need: [procs] }, startMs, endMs: startMs + job.runtimeMs };
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Linear between the two values about the place q × (n − 1) of the sorted ones. */
function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = q * (sorted.length - 1);
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  return sorted[below] * (1 - (place - below)) + sorted[above] * (place - below);
}

function expectEqual(jobs: Drawn, by: "class" | "user" | "group", nameOf: (job: Drawn[number]) => string) {
  const groups = new JobGroups(by);
  for (const job of jobs) groups.add(ended(job));
  const found = groups.summary();
  expect(new Set(found.groups.map(({ name }) => name))).toEqual(new Set(jobs.map(nameOf)));
  const work = (some: Drawn) => some.reduce((sum, { procs, runtimeMs }) => sum + procs * runtimeMs, 0) / HOUR;
  for (const group of found.groups) {
    const own = jobs.filter((job) => nameOf(job) === group.name);
    const waits = own.map(({ waitMs }) => waitMs / 1000);
    const slowdowns = own.map(({ waitMs, runtimeMs }) =>
      Math.max(1, (waitMs + runtimeMs) / Math.max(runtimeMs, 10_000)),
    );
    expect(group.jobs).toBe(own.length);
    expect(group.jobShare).toBeCloseTo(own.length / jobs.length, 12);
    expect(group.procHours).toBeCloseTo(work(own), 6);
    expect(group.workShare).toBeCloseTo(work(own) / work(jobs), 9);
    expect(group.waitMeanSec).toBeCloseTo(mean(waits), 6);
    expect(group.waitMedianSec).toBeCloseTo(quantile(waits, 0.5), 6);
    expect(group.waitP95Sec).toBeCloseTo(quantile(waits, 0.95), 6);
    expect(group.boundedSlowdownMean).toBeCloseTo(mean(slowdowns), 6);
    expect(group.boundedSlowdownMedian).toBeCloseTo(quantile(slowdowns, 0.5), 6);
    expect(group.boundedSlowdownP95).toBeCloseTo(quantile(slowdowns, 0.95), 6);
  }
  return found;
}

describe("SI-87 jobs by class, user and group", () => {
  it("by user and group equals the definitions over each one's jobs", () => {
    fc.assert(
      fc.property(drawn, (jobs) => {
        const { groups } = expectEqual(jobs, "user", ({ user }) => (user === "-1" ? "unknown" : user));
        expect(groups.map(({ procHours }) => procHours)).toEqual(
          groups.map(({ procHours }) => procHours).toSorted((one, other) => other - one),
        );
        expectEqual(jobs, "group", ({ group }) => group || "unknown");
      }),
    );
  });

  it("by class equals the definitions: at most 8 processors are narrow, at most an hour is short", () => {
    fc.assert(
      fc.property(drawn, (jobs) => {
        expectEqual(jobs, "class", ({ procs, runtimeMs }) =>
          [runtimeMs > HOUR ? "long" : "short", procs > 8 ? "wide" : "narrow"].join(" "),
        );
      }),
    );
  });

  it("a job at a limit is short and narrow, and other limits are taken", () => {
    const groups = new JobGroups("class", { narrowProcs: 2, shortMs: 5000 });
    const job = { user: "1", group: "a", submitMs: 0, waitMs: 0 };
    groups.add(ended({ ...job, procs: 2, runtimeMs: 5000 }));
    groups.add(ended({ ...job, procs: 3, runtimeMs: 5001 }));
    const { groups: found, narrowProcs, shortSec } = groups.summary();
    expect(found.map(({ name }) => name)).toEqual(["short narrow", "long wide"]);
    expect([narrowProcs, shortSec]).toEqual([2, 5]);
  });

  it("fairness is over known users; there is none where nobody is known", () => {
    const job = { group: "", submitMs: 0, procs: 1, runtimeMs: 1000 };
    const groups = new JobGroups("user");
    groups.add(ended({ ...job, user: "-1", waitMs: 9000 }));
    expect(groups.summary()).not.toHaveProperty("fairness");
    groups.add(ended({ ...job, user: "1", waitMs: 1000 }));
    groups.add(ended({ ...job, user: "2", waitMs: 3000 }));
    expect(groups.summary().fairness).toMatchObject({ count: 2, waitGini: 0.25 });
    expect(groups.summary().fairness?.waitJain).toBeCloseTo(0.8, 12);
  });
});
