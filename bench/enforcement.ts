/**
 * A look of the enforcer at a site with 10,000 jobs of 300 consumers: `npx tsx bench/enforcement.ts`.
 *
 * Exit code 1 when the p99 of a case is over the budget. Processor time. The policies of a case stay; each
 * draw of jobs is looked at ten times, as a site is that changes little from look to look. What drawing has
 * left behind is collected before; what looks leave behind counts. Looks that only warm up are not counted.
 * Beside each case the time in which the same jobs are sorted by consumer and order, which no enforcer can
 * do without.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRandom, drawInteger, type Random } from "../src/base/index.ts";
import { ENFORCEMENT_DEFAULTS, type Policy } from "../src/model/index.ts";
import {
  createUseKeeper,
  type EnforcedJob,
  type EnforcedSite,
  enforce,
  noteJob,
  type ShareTree,
  settleUse,
  shareTree,
  usesKept,
} from "../src/policy/index.ts";

const BUDGET_MS = 50;
const JOBS = 10_000;
const DRAWS = 20;
const LOOKS_PER_DRAW = 10;
const WARM_UP_DRAWS = 5;
const PROCS = 4_000;
const HOUR_MS = 3_600_000;
const NOW_MS = 10 * HOUR_MS;

interface Case {
  readonly name: string;
  /** Running jobs in percent. */
  readonly runningPercent: number;
  readonly more: Partial<Policy>;
}

const CASES: readonly Case[] = [
  { name: "an empty site", runningPercent: 0, more: {} },
  { name: "a full site, shared", runningPercent: 20, more: {} },
  { name: "a full site, preempting", runningPercent: 20, more: { mode: "preempting" } },
  { name: "a full site, dedicated shares", runningPercent: 20, more: { mode: "dedicated" } },
  { name: "a full site, capped", runningPercent: 20, more: { rule: "cap" } },
];

/** Policies of thirty organisations with ten groups each. */
function policiesOf(more: Partial<Policy>): readonly Policy[] {
  const vos = Array.from({ length: 30 }, (_, vo) => policyOf("site", `vo${vo}`, 33_000, more));
  const groups = vos.flatMap(({ consumer }) =>
    Array.from({ length: 9 }, (_, group) => policyOf(consumer, `${consumer}/g${group}`, 110_000, more)),
  );
  return [...vos, ...groups];
}

function policyOf(provider: string, consumer: string, sharePpm: number, more: Partial<Policy>): Policy {
  return {
    resource: "cpu",
    provider,
    consumer,
    epoch: { window: { kind: "sliding", lengthMs: HOUR_MS }, sharePpm },
    burst: { bucketMs: 60_000, sharePpm: 900_000 },
    rule: "entitlement",
    mode: "shared",
    carry: "repay",
    ...more,
  };
}

function siteOf({ runningPercent }: Case, shares: ShareTree, random: Random): EnforcedSite {
  const capacity = { cpu: PROCS, gpu: 0, memory: 0 };
  const keeper = createUseKeeper(shares, capacity);
  let left = PROCS;
  const jobs = Array.from({ length: JOBS }, (_, order): EnforcedJob => {
    const cpu = 1 + drawInteger(random, 0, 3) * drawInteger(random, 0, 1);
    const runs = drawInteger(random, 0, 99) < runningPercent && cpu <= left;
    if (runs) left -= cpu;
    const begunAtMs = NOW_MS - HOUR_MS + drawInteger(random, 0, HOUR_MS - 1);
    const estimateMs = HOUR_MS + drawInteger(random, 0, 5 * HOUR_MS);
    // Few have most of what runs, so that others are below their share.
    const vo = runs ? drawInteger(random, 0, 5) : drawInteger(random, 0, 29);
    return {
      id: String(order),
      consumer: `vo${vo}/g${drawInteger(random, 0, 8)}`,
      need: { cpu, gpu: 0, memory: 0 },
      state: runs ? "running" : "waiting",
      order,
      begunAtMs: runs ? begunAtMs : null,
      plannedEndMs: runs ? begunAtMs + estimateMs : null,
      estimateMs,
      stops: 0,
      stoppedFor: [],
      nudged: null,
    };
  });
  const begun = jobs.filter(({ state }) => state === "running");
  for (const job of begun.sort((one, other) => (one.begunAtMs ?? 0) - (other.begunAtMs ?? 0))) {
    noteJob(keeper, job, null, "running");
    settleUse(keeper, job.begunAtMs ?? 0);
  }
  return {
    capacity,
    available: capacity,
    jobs,
    shares,
    uses: usesKept(keeper),
    rules: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "requeue", "suspend"] },
    actionsLeft: 600,
  };
}

/** Processor time of a call, since the machine is shared. */
function timed(act: () => unknown): number {
  const { user: before } = process.cpuUsage();
  act();
  return (process.cpuUsage().user - before) / 1000;
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The least work of any enforcer: sorts jobs by consumer. */
function sortByConsumer({ jobs }: EnforcedSite): number {
  const key = ({ consumer, order }: EnforcedJob) => `${consumer} ${String(order).padStart(8, "0")}`;
  return [...jobs].map(key).sort().length;
}

for (const it of CASES) {
  const random = createRandom(7);
  const times: number[] = [];
  const beside: number[] = [];
  let actions = 0;
  const shares = shareTree(policiesOf(it.more), "site");
  for (let draw = 0; draw < DRAWS + WARM_UP_DRAWS; draw++) {
    const site = siteOf(it, shares, random);
    const besideMs = timed(() => sortByConsumer(site));
    collectGarbage();
    for (let look = 0; look < LOOKS_PER_DRAW; look++) {
      const ms = timed(() => {
        actions = enforce(site, NOW_MS).actions.length;
      });
      if (draw >= WARM_UP_DRAWS) times.push(ms);
    }
    if (draw >= WARM_UP_DRAWS) beside.push(besideMs);
  }
  times.sort((one, other) => one - other);
  beside.sort((one, other) => one - other);
  const [p50, p99] = [at(times, 0.5), at(times, 0.99)];
  const verdict = p99 > BUDGET_MS ? `OVER ${BUDGET_MS} ms` : "";
  if (verdict !== "") process.exitCode = 1;
  console.log(
    `${it.name.padEnd(42)} p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  ` +
      `${(p50 / at(beside, 0.5)).toFixed(1).padStart(5)} × sorting  ` +
      `${String(actions).padStart(5)} actions  ${verdict}`,
  );
}
