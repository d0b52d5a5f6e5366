/**
 * A live round with enforcement on, after one event, at a site with 10,000 jobs of 300 consumers:
 * `npx tsx bench/enforced-round.ts`.
 *
 * The event is the end of a job at a full site whose jobs are let in one by one; the round goes on until
 * nothing is decided any more, as the broker's does. Processor time; exit code 1 when its p99 is over the
 * budget. Beside it the same round at a site without policies.
 */
import { answer, apply, createProjection, decide, observe, type Projection } from "../src/engine/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  JOB_DEFAULTS,
  type Policy,
  type SiteSpec,
  type StintEvent,
} from "../src/model/index.ts";

const BUDGET_MS = 50;
const JOBS = 10_000;
const PROCS = 2_000;
const ROUNDS = 200;
const WARM_UP = 15;
const VOS = 30;
const HOUR_MS = 3_600_000;
const BEGIN_MS = 1_000_000_000;

const spec: SiteSpec = {
  ...{ type: "managed", procs: PROCS, memoryBytes: 2 ** 50, discipline: "fcfs", defaultWallTimeMs: HOUR_MS },
  enforcement: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"] },
};

function policyOf(provider: string, consumer: string, sharePpm: number): Policy {
  return {
    ...{ resource: "cpu", provider, consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR_MS }, sharePpm },
    burst: { bucketMs: 60_000, sharePpm: 900_000 },
    ...{ rule: "entitlement", mode: "preempting", carry: "repay" },
  };
}

const policies = Array.from({ length: VOS }, (_, vo) => [
  policyOf("here", `vo${vo}`, 33_000),
  ...Array.from({ length: 9 }, (__, group) => policyOf(`vo${vo}`, `vo${vo}/g${group}`, 110_000)),
]).flat();

function record(projection: Projection, events: readonly StintEvent[]): void {
  for (const event of events) apply(projection, event);
}

function settle(projection: Projection, nowMs: number): number {
  for (let decisions = 1; ; decisions++) {
    const { events } = decide(projection, nowMs);
    if (events.length === 0) return decisions;
    record(projection, events);
  }
}

/** A full site with the other jobs waiting. */
function crowded(isEnforced: boolean): Projection {
  const projection = createProjection();
  record(projection, [{ kind: "siteAdded", site: "here", spec, atMs: BEGIN_MS }]);
  if (isEnforced) {
    const request = { kind: "applyPolicies", policies, effectiveFromMs: null, onVersion: null } as const;
    ask(projection, { ...request, by: "admin", note: "" });
  }
  for (let n = 0; n < JOBS; n++) {
    const wide = { procs: 1 + (n % 4), wallTimeMs: HOUR_MS * (1 + (n % 5)), site: "here" };
    const description = { ...JOB_DEFAULTS, executable: "x", ...wide };
    const consumer = `vo${n % VOS}/g${n % 9}`;
    ask(projection, { kind: "submit", job: `j${n}`, description, consumer, owner: "u" });
  }
  settle(projection, BEGIN_MS);
  return projection;
}

function ask(projection: Projection, command: Parameters<typeof answer>[1]): void {
  const answered = answer(projection, command, BEGIN_MS);
  if (!answered.ok) throw new Error(`refused: ${answered.refusal.kind}`);
  record(projection, answered.value);
}

/** Processor time of each counted round, in order. */
function timesOf(projection: Projection): { readonly times: readonly number[]; readonly decisions: number } {
  const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
  const times: number[] = [];
  let decisions = 0;
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const nowMs = BEGIN_MS + (round + 1) * 1000;
    const [job] = projection.sites.get("here")?.queue.running ?? [];
    const before = process.cpuUsage().user;
    record(projection, observe(projection, { kind: "ended", job, attempt: 1, atMs: nowMs, end }, nowMs));
    decisions = settle(projection, nowMs);
    if (round >= WARM_UP) times.push((process.cpuUsage().user - before) / 1000);
  }
  return { times: times.sort((one, other) => one - other), decisions };
}

const without = timesOf(crowded(false)).times;
const { times, decisions } = timesOf(crowded(true));
const [p50, p99] = [times[times.length >> 1], times[Math.floor(times.length * 0.99)]];
if (p99 > BUDGET_MS) process.exitCode = 1;
console.log(
  `a round after one event, ${JOBS} jobs, an active enforcer: ` +
    `p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ` +
    `${decisions} decisions  ` +
    `${(p50 / without[without.length >> 1]).toFixed(1)} × the round without policies  ` +
    `${p99 > BUDGET_MS ? `OVER ${BUDGET_MS} ms` : ""}`,
);
