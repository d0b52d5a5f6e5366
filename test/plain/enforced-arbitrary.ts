/**
 * Small sites for property tests of enforcement: a few consumers on two levels, all modes and rules, jobs in
 * all states, small integers, so that limits are often just reached.
 */
import fc from "fast-check";
import { ENFORCEMENT_STEPS, type EnforcementRules, type Policy } from "../../src/model/index.ts";
import { type JobWords, policy, type Scene } from "../enforced-scene.ts";

/** When all of them are looked at. */
export const NOW_MS = 1_000;

const consumers = ["a", "b", "a/x", "a/y", "b/x", "c", "stranger"] as const;

const percent = fc.constantFrom(0, 10, 20, 25, 40, 50, 80, 100);

const policyOf = (consumer: string): fc.Arbitrary<Policy> =>
  fc
    .record({
      epoch: percent,
      more: fc.constantFrom(0, 10, 50, 100),
      resource: fc.constantFrom("cpu", "cpu", "cpu", "memory" as const),
      rule: fc.constantFrom("entitlement", "entitlement", "cap" as const),
      mode: fc.constantFrom("shared", "preempting", "preempting", "dedicated" as const),
      carry: fc.constantFrom("forgive", "repay" as const),
      windowMs: fc.constantFrom(100, 400, 1_000, 5_000),
    })
    .map(({ epoch, more, ...rest }) =>
      policy(consumer, epoch, { burst: Math.min(100, epoch + more), ...rest }),
    );

const policies: fc.Arbitrary<readonly Policy[]> = fc
  .tuple(
    policyOf("a"),
    policyOf("b"),
    fc.array(fc.constantFrom("a/x", "a/y", "b/x", "c").chain(policyOf), { maxLength: 4 }),
  )
  .map(([a, b, more]) => [a, b, ...more]);

const job: fc.Arbitrary<JobWords> = fc
  .record({
    consumer: fc.constantFrom(...consumers),
    need: fc.record({ cpu: fc.integer({ min: 1, max: 8 }), memory: fc.constantFrom(0, 0, 1, 5) }),
    state: fc.constantFrom("waiting", "waiting", "queued", "running", "running", "suspended" as const),
    begunAtMs: fc.integer({ min: 0, max: NOW_MS }),
    estimateMs: fc.constantFrom(10, 100, 500, 1_000),
    stops: fc.integer({ min: 0, max: 3 }),
    spared: fc.constantFrom([], [], [], [], ["suspend"], ["requeue"], ["suspend", "requeue"]),
  })
  .map(
    ({ begunAtMs, spared, ...rest }): JobWords => ({
      ...rest,
      ...(spared.length === 0 ? {} : { spared: spared as NonNullable<JobWords["spared"]> }),
      ...(rest.state === "running" || rest.state === "suspended" ? { begunAtMs } : {}),
    }),
  );

const granted: fc.Arbitrary<EnforcementRules["granted"]> = fc.oneof(
  fc.constant<EnforcementRules["granted"]>(["hold", "requeue", "suspend"]),
  fc.subarray([...ENFORCEMENT_STEPS]),
);

/** A site with its policies, jobs and past. */
export const enforcedScenes: fc.Arbitrary<Scene> = fc.record({
  policies,
  jobs: fc.array(job, { maxLength: 10 }).map(fitting),
  cpu: fc.constant(20),
  memory: fc.constant(20),
  rules: fc.record({
    granted,
    minRunMs: fc.constantFrom(0, 100, 400),
    maxSuspensions: fc.constantFrom(1, 2, 5),
    suspendedPpm: fc.constantFrom(200_000, 500_000, 1_000_000),
  }),
  actionsLeft: fc.constantFrom(1, 3, 100),
  past: fc.array(
    fc
      .record({
        consumer: fc.constantFrom("a", "b", "a/x"),
        cpu: fc.integer({ min: 1, max: 10 }),
        from: fc.integer({ min: 0, max: 900 }),
        lastsMs: fc.integer({ min: 1, max: 99 }),
      })
      .map(({ consumer, cpu, from, lastsMs }) => ({ consumer, cpu, ms: [from, from + lastsMs] as const })),
    { maxLength: 3 },
  ),
});

/** What runs fits: a job that would not beside those before it waits. */
function fitting(jobs: readonly JobWords[]): readonly JobWords[] {
  const left = { cpu: 20, memory: 20 };
  return jobs.map(({ begunAtMs, ...job }) => {
    const { cpu = 0, memory = 0 } = typeof job.need === "object" ? job.need : {};
    const isThere = job.state === "running" || job.state === "suspended";
    const takes = { cpu: job.state === "running" ? cpu : 0, memory };
    if (!isThere) return job;
    if (takes.cpu > left.cpu || memory > left.memory) return { ...job, state: "waiting" as const };
    left.cpu -= takes.cpu;
    left.memory -= memory;
    return begunAtMs === undefined ? job : { ...job, begunAtMs };
  });
}
