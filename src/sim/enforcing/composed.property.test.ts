import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { policy, SITE } from "../../../test/enforced-scene.ts";
import { readPriorityYaml } from "../../formats/priority-yaml/index.ts";
import {
  DISCIPLINES,
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type Policy,
  PRIORITY_NAMES,
  type PriorityRules,
} from "../../model/index.ts";
import {
  createArrivals,
  createDrive,
  createOrderedSite,
  feedOf,
  observeEnds,
  type ReplayJob,
} from "../../queue/index.ts";
import { createNodeSide } from "../workload/node-side.ts";
import type { EnforcedOutcome, EnforcingInput, OwnedJob } from "./enforced-input.ts";
import { playEnforced } from "./play-enforced.ts";

const { numRuns: RUNS } = draws(150);
const CONSUMERS = ["a/x", "a/y", "b/u", "b/v"];
const HOLD_ONLY: EnforcementRules = {
  ...ENFORCEMENT_DEFAULTS,
  granted: ["hold"],
  actionsPerHour: Number.MAX_SAFE_INTEGER,
};

const amounts = (cpu: number) => ({ cpu, gpu: 0, memory: 0 });

/** Every kind of priority, and Maui's with limits of users. */
const PRIORITIES: readonly (PriorityRules | undefined)[] = [
  undefined,
  ...PRIORITY_NAMES.map((name) => readPriorityYaml("", name).said),
  readPriorityYaml("users: { default: { maxProcs: 3 }, b/u: { priority: 100, maxProcs: 2 } }", "maui").said,
];

const drawnJobs = fc.array(
  fc.record({
    consumer: fc.constantFrom(...CONSUMERS),
    afterMs: fc.constantFrom(0, 0, 1, 3, 6),
    cpu: fc.constantFrom(1, 1, 2, 3, 5),
    runtimeMs: fc.integer({ min: 1, max: 12 }),
    laterMs: fc.constantFrom(0, 0, 3, 20),
  }),
  { minLength: 3, maxLength: 14, size: "max" },
);

function jobsOf(drawn: typeof drawnJobs extends fc.Arbitrary<infer All> ? All : never): OwnedJob[] {
  let submitMs = 0;
  return drawn.map(({ consumer, afterMs, cpu, runtimeMs, laterMs }, at) => {
    submitMs += afterMs;
    const owner = { user: consumer, group: consumer.slice(0, 1), queue: "", partition: "" };
    const times = { submitMs, runtimeMs, estimateMs: runtimeMs + laterMs };
    return { id: `j${at}`, consumer, owner, need: amounts(cpu), ...times };
  });
}

const policies = fc
  .tuple(...["a", "b", "a/x", "b/u"].map((consumer) => fc.tuple(fc.constant(consumer), fc.boolean())))
  .chain((named) =>
    fc.tuple(
      ...named.map(([consumer, isNamed]) =>
        fc.record({
          epoch: fc.constantFrom(20, 40),
          more: fc.constantFrom(0, 20, 60),
          consumer: fc.constant(consumer),
          isNamed: fc.constant(isNamed || !consumer.includes("/")),
        }),
      ),
    ),
  )
  .map((all) =>
    all.flatMap(({ consumer, epoch, more, isNamed }): Policy[] =>
      isNamed ? [policy(consumer, epoch, { burst: epoch + more })] : [],
    ),
  );

const reserved = fc.array(
  fc.record({
    pool: fc.constantFrom(0, 1),
    cpu: fc.constantFrom(1, 2),
    startMs: fc.integer({ min: 0, max: 30 }),
    durationMs: fc.integer({ min: 1, max: 15 }),
  }),
  { maxLength: 2 },
);
const POOLS = [5, 5];

function used(outcomes: readonly EnforcedOutcome[], atMs: number, isOf: (one: EnforcedOutcome) => boolean) {
  const running = outcomes.filter(
    (one) => isOf(one) && one.runs.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? 0)),
  );
  return running.reduce((sum, { job }) => sum + job.need.cpu, 0);
}

/** What a consumer may have at once, by the bursts of all levels above it. */
function burstOf(named: readonly Policy[], path: string): number {
  const own = named.find(({ consumer }) => consumer === path);
  const above = path.includes("/") ? burstOf(named, path.slice(0, path.lastIndexOf("/"))) : 10;
  return own?.burst === undefined ? above : Math.floor((above * own.burst.sharePpm) / 1_000_000);
}

describe("an enforcer before a queue of any discipline and priority", () => {
  it.each(DISCIPLINES)(
    "SI-80 SI-83 under %s neither capacity nor burst is exceeded, and each job ends once",
    (discipline) => {
      fc.assert(
        fc.property(
          drawnJobs,
          policies,
          reserved,
          fc.constantFrom(...PRIORITIES),
          (drawn, named, asked, priority) => {
            const jobs = jobsOf(drawn);
            const refused = new Set<number>();
            const input: EnforcingInput = {
              ...{ site: SITE, capacity: amounts(10), pools: POOLS.map(amounts) },
              ...{ policies: [{ fromMs: 0, policies: named }], rules: HOLD_ONLY, discipline, priority, jobs },
              reservations: asked.map(({ cpu, ...rest }, at) => ({
                ...{ ...rest, need: amounts(cpu), refused: () => void refused.add(at) },
              })),
            };
            const { jobs: outcomes } = playEnforced(input);
            const made = asked.filter((_, at) => !refused.has(at));
            for (const { fromMs: atMs } of outcomes.flatMap(({ runs }) => runs)) {
              for (const [pool, procs] of POOLS.entries()) {
                const held = made.filter(
                  (it) => it.pool === pool && it.startMs <= atMs && atMs < it.startMs + it.durationMs,
                );
                const free = held.reduce((left, { cpu }) => left - cpu, procs);
                expect(used(outcomes, atMs, (one) => one.pool === pool)).toBeLessThanOrEqual(free);
              }
              for (const path of ["a", "b", ...CONSUMERS]) {
                const isOf = ({ job }: EnforcedOutcome) => `${job.consumer}/`.startsWith(`${path}/`);
                expect(used(outcomes, atMs, isOf)).toBeLessThanOrEqual(burstOf(named, path));
              }
            }
            for (const { job, runs, startMs, endMs } of outcomes) {
              if (job.need.cpu > burstOf(named, job.consumer)) expect(runs).toEqual([]);
              else {
                expect(startMs).toBeGreaterThanOrEqual(job.submitMs);
                expect(runs).toEqual([{ fromMs: startMs, toMs: endMs }]);
                expect(Number(endMs) - Number(startMs)).toBe(job.runtimeMs);
              }
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
  );

  it.each(DISCIPLINES)(
    "SI-83 a consumer with all shares starts first come, first served by the priority, before %s",
    (discipline) => {
      fc.assert(
        fc.property(drawnJobs, fc.constantFrom(...PRIORITIES), (drawn, priority) => {
          const jobs = jobsOf(drawn).map((job) => ({ ...job, consumer: "a" }));
          const { jobs: outcomes } = playEnforced({
            ...{ site: SITE, capacity: amounts(5), rules: HOLD_ONLY, discipline, priority, jobs },
            policies: [{ fromMs: 0, policies: [policy("a", 100)] }],
          });
          const starts = outcomes.map(({ startMs }) => startMs);
          expect(starts).toEqual(plainStarts(jobs, priority));
        }),
        { numRuns: RUNS },
      );
    },
  );
});

describe("an enforcer that stops jobs, before nodes", () => {
  it.each(DISCIPLINES)("SI-80 under %s each node has its tasks, and each job does its work", (discipline) => {
    const terms = fc.record({
      rule: fc.constantFrom<Policy["rule"]>("entitlement", "cap"),
      mode: fc.constantFrom<Policy["mode"]>("shared", "preempting", "dedicated"),
      windowMs: fc.constantFrom(20, 1000),
    });
    const steps = fc.constantFrom<EnforcementRules["granted"]>(["hold", "suspend"], ["hold", "requeue"]);
    let stopped = 0;
    fc.assert(
      fc.property(drawnJobs, terms, terms, steps, (drawn, ofA, ofB, granted) => {
        const jobs = jobsOf(drawn).map((job) => {
          const tasks = Math.min(job.need.cpu, 3);
          const shape = { tasks, perTask: [2], mostPerNode: 1 };
          return { ...job, need: amounts(tasks * 2), shape };
        });
        const { jobs: outcomes } = playEnforced({
          ...{ site: SITE, capacity: amounts(6), discipline, jobs },
          nodes: createNodeSide({ site: { nodes: [3], perNode: [[2]] }, reservations: [] }, discipline),
          policies: [{ fromMs: 0, policies: [policy("a", 70, ofA), policy("b", 30, ofB)] }],
          rules: { ...HOLD_ONLY, granted, suspendedPpm: 1_000_000, minRunMs: 0 },
        });
        for (const { fromMs } of outcomes.flatMap(({ runs }) => runs)) {
          expect(used(outcomes, fromMs, () => true)).toBeLessThanOrEqual(6);
        }
        for (const { job, runs, firstRun, endMs, stops } of outcomes) {
          const last = runs.slice(firstRun).reduce((sum, { fromMs, toMs }) => sum + Number(toMs) - fromMs, 0);
          expect(last).toBe(endMs === null ? 0 : job.runtimeMs);
          stopped += stops;
        }
      }),
      { numRuns: RUNS },
    );
    expect(stopped).toBeGreaterThan(0);
  });
});

interface PlainJob extends ReplayJob {
  readonly job: OwnedJob;
}

/** When each would start, were there no policies. */
function plainStarts(
  jobs: readonly OwnedJob[],
  rules: PriorityRules | undefined,
): readonly (number | undefined)[] {
  const ownerOf = ({ job: { owner } }: PlainJob) =>
    owner ?? { user: "", group: "", queue: "", partition: "" };
  const { site, submit, actors } = createOrderedSite<PlainJob>({
    ...{ capacity: [[5]], discipline: "fcfs" },
    priority: rules && { rules, ownerOf },
  });
  const starts: number[] = [];
  observeEnds(site, ({ job, startMs }) => {
    starts[job.id] = startMs;
  });
  const arrivals = createArrivals<PlainJob>(submit);
  const feed = feedOf(createDrive(site, [arrivals, ...actors]), arrivals);
  for (const [id, job] of jobs.entries()) {
    const { submitMs, runtimeMs, estimateMs, need } = job;
    feed.offer({ id, job, submitMs, runtimeMs, estimateMs, need: [need.cpu] });
  }
  feed.finish();
  return starts;
}
