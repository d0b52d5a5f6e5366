/**
 * Plays a site under an enforcer or under nobody, and measures whoever enforces alike.
 */
import { ENFORCEMENT_DEFAULTS, type Policy } from "../../src/model/index.ts";
import { findingsOf, type UseRecord, VERIFY_DEFAULTS, verify } from "../../src/policy/index.ts";
import { createMachine, createReplay } from "../../src/queue/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { playEnforced } from "../../src/sim/enforcing/play-enforced.ts";

/** Processors of a site. */
export const PROCS = 20;

/** A site that was played until an instant. */
export interface PlayedSite {
  readonly jobs: readonly PlayedJob[];
  readonly procs: number;
  readonly untilMs: number;
}

/** When a job ran. */
export interface PlayedJob {
  readonly job: OwnedJob;
  readonly runs: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  readonly endMs: number | null;
}

/** Who enforces: our enforcer, the source's logic, or nobody. */
export type Enforcer = "ours" | "literal" | "nobody";

/** What is to be played. */
export interface SiteOrder {
  readonly jobs: readonly OwnedJob[];
  readonly policies: readonly Policy[];
  readonly enforcer: Enforcer;
  readonly untilMs: number;
  readonly procs?: number;
  /** Whether jobs may be suspended, and not only held. */
  readonly suspends?: boolean;
}

/** Plays it. */
export function playSite(order: SiteOrder): PlayedSite {
  const { jobs, policies, enforcer, untilMs, procs = PROCS, suspends = true } = order;
  if (enforcer === "nobody") return playQueue({ ...order, procs });
  const { jobs: played } = playEnforced({
    site: "site",
    capacity: { cpu: procs, gpu: 0, memory: 0 },
    policies: [{ fromMs: 0, policies }],
    rules: {
      ...ENFORCEMENT_DEFAULTS,
      granted: suspends ? ["hold", "suspend"] : ["hold"],
      form: enforcer,
      // The source has no such bounds: it is compared without.
      actionsPerHour: 1_000_000,
      suspendedPpm: 1_000_000,
      maxSuspensions: 1_000_000,
    },
    jobs,
    untilMs,
  });
  return { jobs: played, procs, untilMs };
}

/** First come, first served. */
function playQueue({ jobs, untilMs, procs = PROCS }: SiteOrder): PlayedSite {
  const machine = createMachine([[procs]], { discipline: "fcfs" });
  const started = new Map<number, number>();
  const ended = new Map<number, number>();
  const replay = createReplay(machine, {
    started: (job, _pool, atMs) => started.set(job.id, atMs),
    finished: ({ job, endMs }) => ended.set(job.id, endMs),
  });
  for (const [id, { submitMs, estimateMs, runtimeMs, need }] of jobs.entries()) {
    replay.offer({ id, submitMs, estimateMs, runtimeMs, need: [need.cpu] });
  }
  replay.finish();
  const within = (atMs: number | undefined) => (atMs !== undefined && atMs < untilMs ? atMs : null);
  return {
    procs,
    untilMs,
    jobs: jobs.map((job, id) => {
      const fromMs = within(started.get(id));
      const endMs = within(ended.get(id));
      return { job, endMs, runs: fromMs === null ? [] : [{ fromMs, toMs: endMs }] };
    }),
  };
}

/** The part of a site that a consumer and those below it used between two instants. */
export function partUsed(
  { jobs, procs }: PlayedSite,
  consumer: string,
  minutes: readonly [number, number],
): number {
  const [fromMs, toMs] = minutes.map((minute) => minute * 60_000);
  let sum = 0;
  for (const { job, runs } of jobs) {
    if (consumer !== "" && job.consumer !== consumer && !job.consumer.startsWith(`${consumer}/`)) continue;
    for (const run of runs) {
      sum += job.need.cpu * Math.max(0, Math.min(run.toMs ?? toMs, toMs) - Math.max(run.fromMs, fromMs));
    }
  }
  return sum / (procs * (toMs - fromMs));
}

/** The measures of slide 25, in parts of the capacity over the time played. */
export interface Violations {
  readonly burst: number;
  readonly epoch: number;
  readonly used: number;
}

/** BUPV, EUPV and ARU, as verification measures them for anybody. */
export function violationsOf({ jobs, procs, untilMs }: PlayedSite, policies: readonly Policy[]): Violations {
  const evidence = {
    place: "site",
    capacity: [{ fromMs: 0, amounts: { cpu: procs } }],
    terms: [{ fromMs: null, policies }],
    records: jobs.map(recordOf),
    recorded: [{ fromMs: 0, toMs: untilMs }],
    stopped: [],
  };
  const findings = findingsOf(verify(evidence, { fromMs: 0, toMs: untilMs, definitions: VERIFY_DEFAULTS }));
  const { aboveBurst, aboveEpoch, used } = findings.totals[0].parts;
  return { burst: aboveBurst ?? 0, epoch: aboveEpoch ?? 0, used: used ?? 0 };
}

function recordOf({ job, runs, endMs }: PlayedJob): UseRecord {
  const { id, consumer, need, submitMs } = job;
  const edges = [submitMs, ...runs.map(({ toMs }) => toMs)];
  const waits = edges.flatMap((fromMs, place) => {
    const toMs = runs[place]?.fromMs ?? null;
    return fromMs === null || fromMs === endMs || fromMs === toMs ? [] : [{ fromMs, toMs }];
  });
  const outcome = endMs === null ? "unfinished" : "completed";
  return {
    id,
    consumer,
    need: { cpu: need.cpu },
    submittedAtMs: submitMs,
    waits,
    runs,
    endedAtMs: endMs,
    outcome,
  };
}
