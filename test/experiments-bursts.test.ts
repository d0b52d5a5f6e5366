/** What the plays of bursts are judged by, against worlds that are right and wrong. */
import { describe, expect, it } from "vitest";
import {
  measureOwed,
  type OwedOrder,
  type QueueSample,
  type SampledJob,
} from "../experiments/bursts/owed.ts";
import { limitsOf, PLAYS, policyFile } from "../experiments/bursts/scenario.ts";
import { sampledJobs } from "../experiments/bursts/watch-queue.ts";
import { readPolicies } from "../src/formats/policy-file/index.ts";

const SECOND = 1000;
const SAMPLES = 100;
const LONG_AGO = -3600 * SECOND;

const order = (more: Partial<OwedOrder> = {}): OwedOrder => ({
  procs: 16,
  limits: [
    { consumer: "a", burstProcs: 4, epochProcs: 4, windowMs: 3600 * SECOND },
    { consumer: "b", burstProcs: 8, epochProcs: 4, windowMs: 3600 * SECOND },
  ],
  ...{ mode: "shared", lookMs: 5 * SECOND, fromMs: 0, ...more },
});

const jobs = (consumer: string, state: SampledJob["state"], count: number, submittedMs = LONG_AGO) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: `${consumer}-${state}-${n}`, consumer, procs: 1, state, submittedMs },
  }));

/** A queue that stands still, but for what some samples say. */
const standing = (still: readonly SampledJob[], others: Record<number, readonly SampledJob[]> = {}) =>
  Array.from({ length: SAMPLES }, (_, n): QueueSample => ({ atMs: n * SECOND, jobs: others[n] ?? still }));

const full = [...jobs("a", "running", 4), ...jobs("b", "running", 8), ...jobs("a", "waiting", 9)];

describe("what an enforcer owes", () => {
  it("is given where limits are kept and nobody waits who may run", () => {
    expect(measureOwed(standing(full), order())).toEqual({
      ...{ samples: SAMPLES, overFraction: 0, beyondLooks: 0, mostOver: 0, idleFraction: 0 },
      overEpochFraction: 0,
    });
  });

  it("counts each sample over the limit, and excuses those only by what has just come", () => {
    const over = jobs("a", "running", 6);
    const old = measureOwed(standing(full, { 7: over, 8: over }), order());
    expect(old).toMatchObject({ overFraction: 0.02, beyondLooks: 2, mostOver: 2 });
    const come = [...jobs("a", "running", 4), ...jobs("a", "running", 2, 1 * SECOND)];
    expect(measureOwed(standing(full, { 7: come }), order())).toMatchObject({ beyondLooks: 0 });
    expect(measureOwed(standing(full, { 12: come }), order())).toMatchObject({ beyondLooks: 1 });
  });

  it("counts what is idle while somebody waits within the limit, and only as much as that", () => {
    const slow = [...jobs("a", "running", 3), ...jobs("b", "running", 8), ...jobs("a", "waiting", 9)];
    expect(measureOwed(standing(slow), order()).idleFraction).toBeCloseTo(1 / 16, 10);
    const wide = { ...jobs("a", "waiting", 1)[0], procs: 2 } as SampledJob;
    const cannot = [...jobs("a", "running", 3), ...jobs("b", "running", 8), wide];
    expect(measureOwed(standing(cannot), order()).idleFraction).toBe(0);
  });

  it("does not ask for what is dedicated to somebody else", () => {
    const lonely = [...jobs("b", "running", 4), ...jobs("b", "waiting", 9)];
    const small = { procs: 8 };
    expect(measureOwed(standing(lonely), order(small)).idleFraction).toBeCloseTo(0.5, 10);
    expect(measureOwed(standing(lonely), order({ ...small, mode: "dedicated" })).idleFraction).toBe(0);
  });

  it("under a cap asks for nothing beyond the epoch share, and finds who goes on beyond it", () => {
    const window = { windowMs: 20 * SECOND, epochProcs: 2, burstProcs: 4 };
    const capped = order({ mode: "cap", limits: [{ consumer: "a", ...window }] });
    const goesOn = standing([...jobs("a", "running", 4), ...jobs("a", "waiting", 4)]);
    expect(measureOwed(goesOn, capped).overEpochFraction).toBeGreaterThan(0.8);
    const stops = goesOn.map((sample) =>
      Math.floor(sample.atMs / SECOND) % 20 < 10 ? sample : { ...sample, jobs: jobs("a", "waiting", 8) },
    );
    const kept = measureOwed(stops, capped);
    expect(kept.overEpochFraction).toBeLessThanOrEqual(0.06);
    expect(kept.idleFraction).toBeLessThan(0.02);
  });

  it("is not judged before its time", () => {
    const over = standing(full, { 1: jobs("a", "running", 6) });
    expect(measureOwed(over, order({ fromMs: 2 * SECOND }))).toMatchObject({ overFraction: 0, samples: 98 });
  });
});

describe("a play", () => {
  it("is sampled from rows of squeue", () => {
    const text = "7|physics|2|RUNNING|1800000003\n8|biology|1|COMPLETING|1800000004\n\n";
    expect(sampledJobs(text, 1_800_000_000_000)).toEqual([
      { id: "7", consumer: "physics", procs: 2, state: "running", submittedMs: 3000 },
    ]);
  });

  it.each(PLAYS)("$name has policies that can be read, with whole processors", (play) => {
    expect(limitsOf(play).every(({ burstProcs }) => Number.isInteger(burstProcs))).toBe(true);
    const { policies, remarks } = readPolicies([policyFile(play, "east")]);
    expect(policies).toHaveLength(2);
    expect(remarks[0]?.problems).toEqual([]);
  });
});
