/**
 * What drives a site through a trace: a replay of ours, one whose queue a priority orders, or a program's.
 */
import {
  isProgram,
  type PriorityRules,
  type ReservingRules,
  type SimulationRequest,
} from "../model/index.ts";
import { createMachine, createReplay, type ReplayListener, type ReplayOperation } from "../queue/index.ts";
import type { ApartProgram } from "./external/program.ts";
import { beginPriorityReplay, type JobTaker } from "./priority-replay.ts";
import { drawReserving } from "./reserving/draw-reserving.ts";
import { type Accepted, reservingReplay } from "./reserving/reserving-replay.ts";
import { type Looks, lookInto } from "./slots/sampled-replay.ts";
import type { TraceJob } from "./trace-job.ts";

/** A site under way; every step may wait for a program. */
export interface SiteDriver {
  /** Hands over the next jobs, in order of submission; plays what comes before them. */
  offer(jobs: readonly TraceJob[]): Promise<void>;
  /** Plays everything to the last end. */
  finish(): Promise<void>;
  /** Nothing goes on any more, however the run went. */
  stop(): Promise<void>;
}

/** A site that is to be driven. */
export interface DriverOrder {
  readonly request: SimulationRequest;
  /** Processors of each pool; of one alone where a program decides or slots are looked at. */
  readonly poolProcs: readonly number[];
  readonly rules: PriorityRules | undefined;
  readonly looks: Looks | undefined;
  readonly listener: ReplayListener<TraceJob>;
  readonly operations: readonly ReplayOperation[];
  /** Jobs that reserve; only where neither a program decides nor a priority orders the queue. */
  readonly reserving?: ReservingDraw;
  readonly hooks: { readonly version: string; readonly writeError?: (text: string) => void };
  /** Where a program runs apart from this process. */
  readonly apart?: ApartProgram;
}

/** Who reserves, drawn from a seed. */
export interface ReservingDraw {
  readonly rules: ReservingRules;
  readonly seed: number;
  readonly accepted: Accepted<TraceJob>;
}

/**
 * Begins it, and the program where one decides.
 *
 * @throws Fault where there is no such program, or it says no hello
 */
export async function beginSiteDriver(order: DriverOrder): Promise<SiteDriver> {
  if (!isProgram(order.request.discipline)) return driverOf(beginReplay(order));
  const { request, hooks, poolProcs, listener, operations, apart } = order;
  const { beginReplayBy } = await import("./external/begin.ts");
  const place = apart === undefined ? {} : { apart };
  return beginReplayBy({ request, hooks, procs: poolProcs[0], listener, operations, ...place });
}

/** A replay of ours: the discipline is no program. */
export function beginReplay(order: Omit<DriverOrder, "hooks" | "apart">): JobTaker {
  const { request, poolProcs, rules, looks, listener, reserving } = order;
  // A list of its own: reservations that are given back are put into it.
  const operations = [...order.operations];
  const { discipline } = request;
  if (isProgram(discipline)) throw new Error("what must hold: a program has its own replay");
  if (rules !== undefined) {
    const procs = poolProcs.reduce((sum, count) => sum + count, 0);
    const sampled = looks === undefined ? {} : { looks };
    return beginPriorityReplay({ rules, discipline, procs, poolProcs, listener, operations, ...sampled });
  }
  const machine = createMachine(
    poolProcs.map((count) => [count]),
    { discipline },
  );
  const replay = createReplay<TraceJob>(machine, listener, operations);
  const seen = looks === undefined ? replay : lookInto(replay, looks);
  if (reserving === undefined) return seen;
  const { accepted } = reserving;
  const alphaOf = drawReserving(reserving.rules, reserving.seed);
  return reservingReplay({ replay: seen, operations, alphaOf, accepted });
}

function driverOf(replay: JobTaker): SiteDriver {
  return {
    offer: async (jobs) => {
      for (const job of jobs) replay.offer(job);
    },
    finish: async () => replay.finish(),
    stop: async () => {},
  };
}
