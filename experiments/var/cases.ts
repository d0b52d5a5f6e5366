/**
 * Every day the same reservations are wanted, as priced ones and as virtual ones ([PROV] 6.2).
 */
import { setImmediate as letOthers } from "node:timers/promises";
import { MS_PER_HOUR } from "../../src/base/index.ts";
import { cancellationPenalty, PLAIN_PRICE, priceList } from "../../src/market/index.ts";
import { combinedChoice, idleProcMs, isVirtualReservationWorthwhile } from "../../src/plan/index.ts";
import { createHistory, observeWaits, type WaitHistory } from "../../src/predict/index.ts";
import { createMachine, createReplay, prepareImpact, type Replay } from "../../src/queue/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { startOfOneMore } from "./branch.ts";
import { QUEUE, submissionFor } from "./submission.ts";

/** Of the source's twelve reservations. */
export const PROCS = [32, 64] as const;
/** How long, in hours. */
export const HOURS = [1, 4] as const;
/** How far ahead, in hours. */
export const AHEAD = [1, 4, 8] as const;
/** The penalty factor p, a tenth. */
const PENALTY = { penaltyPpm: 100_000, basePenaltyPpm: 0 };
const DAY_MS = 24 * MS_PER_HOUR;
const NOON_MS = 12 * MS_PER_HOUR;

/** One of them on one day; costs are over n·D, undefined where it came to nothing. */
export interface Case {
  readonly day: number;
  readonly procs: number;
  readonly hours: number;
  readonly ahead: number;
  readonly probability: number;
  readonly virtual: number | undefined;
  readonly priced: number | undefined;
  readonly combined: number | undefined;
}

/** What is looked at. */
export interface CaseOrder {
  /** With the estimates that people asked for. */
  readonly jobs: readonly WorkloadJob[];
  readonly siteProcs: number;
  /** Days from which waits are learnt before the first case, and days with cases. */
  readonly learnDays: number;
  readonly days: number;
}

/** All cases, in order. */
export async function casesOf({ jobs, siteProcs, learnDays, days }: CaseOrder): Promise<readonly Case[]> {
  const history = createHistory();
  const replay = replayInto(history, siteProcs);
  const all: Case[] = [];
  let next = 0;
  for (let day = learnDays; day < learnDays + days; day++) {
    const nowMs = day * DAY_MS + NOON_MS;
    for (; next < jobs.length && jobs[next].submitMs <= nowMs; next++) replay.offer(jobs[next]);
    if (next === jobs.length) break;
    playThrough(replay, nowMs);
    const later = jobs.slice(next, next + jobsUntil(jobs, next, nowMs + Math.max(...AHEAD) * MS_PER_HOUR));
    for (const procs of PROCS) {
      for (const hours of HOURS) {
        for (const ahead of AHEAD)
          all.push(caseOf({ replay, history, later, nowMs }, { day, procs, hours, ahead }));
      }
    }
    await letOthers();
  }
  return all;
}

/** A site under conservative backfilling that teaches when jobs start. */
function replayInto(history: WaitHistory, siteProcs: number): Replay<WorkloadJob> {
  const machine = createMachine([[siteProcs]], { discipline: "conservative" });
  return createReplay<WorkloadJob>(machine, {
    finished: () => undefined,
    arrived: ({ id, user, need, estimateMs, submitMs }) => {
      const job = {
        id: String(id),
        queue: QUEUE,
        user: String(user),
        procs: need[0],
        wallTimeMs: estimateMs,
      };
      observeWaits(history, { kind: "submitted", atMs: submitMs, job });
    },
    started: ({ id }, _pool, atMs) => observeWaits(history, { kind: "started", atMs, id: String(id) }),
  });
}

function playThrough({ steps }: Replay<WorkloadJob>, atMs: number): void {
  for (let next = steps.nextInstantMs(); next < atMs; next = steps.nextInstantMs()) {
    steps.happen(next);
    steps.settle(next);
  }
  steps.happen(atMs);
  steps.settle(atMs);
}

function jobsUntil(jobs: readonly WorkloadJob[], from: number, untilMs: number): number {
  let count = 0;
  while (jobs[from + count] !== undefined && jobs[from + count].submitMs <= untilMs) count++;
  return count;
}

interface Moment {
  readonly replay: Replay<WorkloadJob>;
  readonly history: WaitHistory;
  readonly later: readonly WorkloadJob[];
  readonly nowMs: number;
}

function caseOf(
  { replay, history, later, nowMs }: Moment,
  wanted: Pick<Case, "day" | "procs" | "hours" | "ahead">,
): Case {
  const { procs, hours, ahead } = wanted;
  const startMs = nowMs + ahead * MS_PER_HOUR;
  const durationMs = hours * MS_PER_HOUR;
  const tried = prepareImpact(replay.machine);
  const shape = { pool: 0, need: [procs], durationMs };
  const [price] = priceList(tried, shape, { kind: "at", startMs }, PLAIN_PRICE);
  const submission = submissionFor(history, { procs, durationMs, startMs }, nowMs);
  const more = { procs, submitMs: submission.submitMs, estimateMs: submission.wallTimeMs };
  const startedMs = startOfOneMore(replay, later, more, startMs);
  const slot = { procs, durationMs, startMs };
  return {
    ...wanted,
    probability: submission.probability,
    virtual: startedMs === undefined ? undefined : (startMs - startedMs) / durationMs,
    priced: price && price.fixedProcMs / (procs * durationMs),
    combined: combinedOf(slot, startedMs, price?.fixedProcMs),
  };
}

/**
 * The source's Fig. 45: a priced reservation is made at once, and cancelled at a penalty where the virtual
 * one begins and is no dearer with it. The cost over n·D; undefined where there is neither.
 */
export function combinedOf(
  slot: Pick<Case, "procs"> & { readonly durationMs: number; readonly startMs: number },
  startedMs: number | undefined,
  fixedProcMs: number | undefined,
): number | undefined {
  const { procs, startMs, durationMs } = slot;
  const over = (procMs: number): number => procMs / (procs * durationMs);
  const idle = startedMs === undefined ? undefined : idleProcMs({ procs, startMs, startedMs });
  if (fixedProcMs === undefined) return idle === undefined ? undefined : over(idle);
  if (startedMs === undefined || idle === undefined || !isVirtualReservationWorthwhile(fixedProcMs)) {
    return over(fixedProcMs);
  }
  const penaltyProcMs = cancellationPenalty({ baseProcMs: 0, fixedProcMs }, PENALTY);
  const kept = combinedChoice({ procs, startMs, startedMs, fixedProcMs, penaltyProcMs });
  return over(kept === "virtual" ? idle + penaltyProcMs : fixedProcMs);
}
