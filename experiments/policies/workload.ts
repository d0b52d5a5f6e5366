/**
 * Workloads of the source, as far as it says: Poisson arrivals, no precedence, one processor each.
 *
 * It gives neither the sites' sizes nor the jobs' run times, nor when which organisation submits. Ours: sites
 * of twenty processors; run times exponential; each organisation alone for a while, and both
 * together between.
 */
import { createRandom, drawExponential, drawFraction, drawInteger } from "../../src/base/index.ts";
import type { Policy } from "../../src/model/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";

/** A minute and an hour, in ms. */
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

/** Who submits how many jobs between which minutes. */
export interface Stretch {
  readonly consumer: string;
  readonly jobs: number;
  readonly minutes: readonly [from: number, until: number];
}

/** Jobs of some stretches, drawn; in order of submission. */
export function drawJobs(stretches: readonly Stretch[], meanMs: number, seed: number): readonly OwnedJob[] {
  const random = createRandom(seed);
  const jobs = stretches.flatMap(({ consumer, jobs: count, minutes: [from, until] }) =>
    Array.from({ length: count }, () => ({
      consumer,
      // Given how many come, the arrivals of a Poisson process are where one throws them.
      submitMs: Math.floor((from + drawFraction(random) * (until - from)) * MINUTE),
      runtimeMs: Math.max(1_000, Math.floor(drawExponential(random, meanMs))),
    })),
  );
  return jobs
    .sort((one, other) => one.submitMs - other.submitMs)
    .map((job, index) => ({
      ...job,
      id: String(index),
      need: { cpu: 1, gpu: 0, memory: 0 },
      estimateMs: job.runtimeMs,
    }));
}

/** Divides jobs among so many sites, each by chance. */
export function dividedAmong(
  jobs: readonly OwnedJob[],
  sites: number,
  seed: number,
): readonly (readonly OwnedJob[])[] {
  const random = createRandom(seed);
  const parts = Array.from({ length: sites }, (): OwnedJob[] => []);
  for (const job of jobs) parts[drawInteger(random, 0, sites - 1)].push(job);
  return parts;
}

/** The source's tuple: ⟨consumer, (epoch s, %), (burst s, %)⟩ at a site, or below the consumer above. */
export function tuple(
  consumer: string,
  [epochSec, epochPercent]: readonly [number, number],
  [burstSec, burstPercent]: readonly [number, number],
  rule: Policy["rule"],
): Policy {
  const above = consumer.slice(0, Math.max(0, consumer.lastIndexOf("/")));
  return {
    resource: "cpu",
    provider: above === "" ? "site" : above,
    consumer,
    epoch: { window: { kind: "sliding", lengthMs: epochSec * 1_000 }, sharePpm: epochPercent * 10_000 },
    burst: { bucketMs: burstSec * 1_000, sharePpm: burstPercent * 10_000 },
    rule,
    mode: "preempting",
    carry: "repay",
  };
}

/**
 * Two organisations of two groups: 440 jobs in an hour, each organisation alone for a third of it. Of the
 * first one's groups one submits three times as many jobs: equal parts are then the enforcer's doing.
 */
export const TWO_BY_TWO: readonly Stretch[] = (
  [
    ["vo0/group0", 164],
    ["vo0/group1", 56],
    ["vo1/group0", 110],
    ["vo1/group1", 110],
  ] as const
).map(([consumer, jobs]) => ({ consumer, jobs, minutes: consumer.startsWith("vo0") ? [0, 40] : [20, 60] }));
