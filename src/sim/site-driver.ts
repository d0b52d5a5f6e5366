/**
 * What drives a site through a trace: a replay of ours, one whose queue a priority orders, or a program's.
 */
import {
  isProgram,
  type PriorityRules,
  type ReservingRules,
  type SimulationRequest,
} from "../model/index.ts";
import {
  createMachine,
  createReplay,
  type Machine,
  type PlainDiscipline,
  type Replay,
  type ReplayListener,
  type ReplayOperation,
  replayPlainly,
} from "../queue/index.ts";
import type { ApartProgram } from "./external/program.ts";
import { beginPriorityReplay, type JobTaker } from "./priority-replay.ts";
import type { Accepted } from "./reserving/reserving-replay.ts";
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
interface ReservingDraw {
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
  if (!isProgram(order.request.discipline)) return driverOf(await beginOurs(order));
  const { request, hooks, poolProcs, listener, operations, apart } = order;
  const { beginReplayBy } = await import("./external/begin.ts");
  const place = apart === undefined ? {} : { apart };
  return beginReplayBy({ request, hooks, procs: poolProcs[0], listener, operations, ...place });
}

/** A replay of ours, in which jobs may reserve. */
async function beginOurs(order: DriverOrder): Promise<JobTaker> {
  const { reserving } = order;
  if (reserving === undefined || order.rules !== undefined) return beginReplay(order);
  const { drawReserving } = await import("./reserving/draw-reserving.ts");
  const { reservingReplay } = await import("./reserving/reserving-replay.ts");
  // A list of its own: reservations that are given back are put into it.
  const operations = [...order.operations];
  const replay = queueOf(order, operations);
  const alphaOf = drawReserving(reserving.rules, reserving.seed);
  return reservingReplay({ replay, operations, alphaOf, accepted: reserving.accepted });
}

/** A replay of ours in which nobody reserves: the discipline is no program. */
export function beginReplay(order: Omit<DriverOrder, "hooks" | "apart" | "reserving">): JobTaker {
  const { request, poolProcs, rules, looks, listener, operations } = order;
  if (rules === undefined) {
    if (operations.length > 0 || looks !== undefined || poolProcs.length > 1)
      return queueOf(order, operations);
    return replayPlainly({ procs: poolProcs[0], discipline: ownDiscipline(request) }, listener);
  }
  const discipline = ownDiscipline(request);
  const procs = poolProcs.reduce((sum, count) => sum + count, 0);
  const sampled = looks === undefined ? {} : { looks };
  return beginPriorityReplay({ rules, discipline, procs, poolProcs, listener, operations, ...sampled });
}

/** A queue in order of arrival, looked at or not. */
function queueOf(order: PlainOrder, operations: readonly ReplayOperation[]): Replay<TraceJob> {
  const replay = createReplay<TraceJob>(emptySite(order), order.listener, operations);
  return order.looks === undefined ? replay : lookInto(replay, order.looks);
}

type PlainOrder = Pick<DriverOrder, "request" | "poolProcs" | "looks" | "listener">;

function emptySite({ request, poolProcs }: PlainOrder): Machine {
  return createMachine(
    poolProcs.map((count) => [count]),
    { discipline: ownDiscipline(request) },
  );
}

function ownDiscipline({ discipline }: Pick<SimulationRequest, "discipline">): PlainDiscipline {
  if (isProgram(discipline)) throw new Error("what must hold: a program has its own replay");
  return discipline;
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
