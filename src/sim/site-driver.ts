/** Drives a site through a trace: the drive of `queue`, with the actors of the request. */
import {
  isProgram,
  type PriorityRules,
  type ReservingRules,
  type SimulationRequest,
} from "../model/index.ts";
import {
  type Actor,
  createArrivals,
  createDrive,
  createOperations,
  createOrderedSite,
  type DrivenSite,
  driveWithProgram,
  type Feed,
  feedOf,
  type OperationListener,
  observeEnds,
  type PlainDiscipline,
  type ReplayListener,
  type ReplayOperation,
  replayPlainly,
} from "../queue/index.ts";
import type { ApartProgram } from "./external/program.ts";
import type { Accepted, Reserver } from "./reserving/reserver.ts";
import { createSampler, type Looks } from "./slots/sampler.ts";
import { ownerOf, type TraceJob } from "./trace-job.ts";

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
  /** Processors of each pool. */
  readonly poolProcs: readonly number[];
  readonly rules: PriorityRules | undefined;
  readonly looks: Looks | undefined;
  readonly listener: Pick<ReplayListener<TraceJob>, "finished" | "refused">;
  readonly operations: readonly ReplayOperation[];
  /** Jobs that reserve; only where no program decides. */
  readonly reserving?: ReservingDraw;
  readonly hooks: { readonly version: string; readonly writeError?: (text: string) => void };
  /** Where a program runs apart from this process. */
  readonly apart?: ApartProgram;
}

/** Jobs that reserve, drawn from a seed. */
interface ReservingDraw {
  readonly rules: ReservingRules;
  readonly seed: number;
  readonly accepted: Accepted<TraceJob>;
}

/**
 * Starts a driver, and the external program where one is the discipline.
 *
 * @throws Fault where there is no such program, or it says no hello
 */
export async function beginSiteDriver(order: DriverOrder): Promise<SiteDriver> {
  if (!isProgram(order.request.discipline)) return driverOf(await beginOurs(order));
  const { request, hooks, poolProcs, listener, operations, apart } = order;
  const { beginProgramAt } = await import("./external/begin.ts");
  const { site, submit } = createOrderedSite<TraceJob>({
    capacity: poolProcs.map((count) => [count]),
    discipline: "external",
  });
  const place = apart === undefined ? {} : { apart };
  const { submitted } = await import("./external/site-events.ts");
  const pools = poolProcs.map((procs) => ({ procs }));
  const program = await beginProgramAt({ request, hooks, pools, site, submitted, ...place });
  const arrivals = createArrivals<TraceJob>((job, atMs) => {
    program.assertUnknown(job);
    submit(job, atMs);
  });
  observeEnds(site, (finished) => listener.finished(finished));
  const told: OperationListener = { ...program, ...listener };
  const driven = createDrive(site, [createOperations(site, operations, told), arrivals, program]);
  return {
    async offer(jobs) {
      for (const job of jobs) {
        await driveWithProgram(driven, job.submitMs);
        arrivals.expect(job);
      }
    },
    async finish() {
      program.noteLastJob();
      await driveWithProgram(driven, Number.POSITIVE_INFINITY);
      await program.leave();
    },
    stop: () => program.stop(),
  };
}

/** A site under a discipline of ours, at which jobs may reserve. */
async function beginOurs(order: DriverOrder): Promise<Feed<TraceJob>> {
  const { reserving } = order;
  if (reserving === undefined) return beginReplay(order);
  const { rules, seed, accepted } = reserving;
  const { drawReserving } = await import("./reserving/draw-reserving.ts");
  const { createReserver } = await import("./reserving/reserver.ts");
  const alphaOf = drawReserving(rules, seed);
  const firstId = order.operations.length;
  return playedJobByJob(order, (site, submit) =>
    createReserver({ site, submit, alphaOf, accepted, firstId }),
  );
}

/** A replay without reservations, under a discipline of ours. */
export function beginReplay(order: Omit<DriverOrder, "hooks" | "apart" | "reserving">): Feed<TraceJob> {
  const { request, poolProcs, rules, looks, listener, operations } = order;
  const discipline = ownDiscipline(request);
  if (rules === undefined && operations.length === 0 && looks === undefined && poolProcs.length === 1) {
    return replayPlainly({ procs: poolProcs[0], discipline }, listener);
  }
  return playedJobByJob(order, (_, submit) => ({ submit }));
}

/** Jobs are submitted to an actor before the queue. */
function playedJobByJob(
  { request, poolProcs, rules, looks, listener, operations }: Omit<DriverOrder, "hooks">,
  gateOf: (site: DrivenSite<TraceJob>, submit: Reserver<TraceJob>["submit"]) => Reserver<TraceJob>,
): Feed<TraceJob> {
  const { site, submit, actors } = createOrderedSite<TraceJob>({
    capacity: poolProcs.map((count) => [count]),
    discipline: ownDiscipline(request),
    priority: rules && { rules, ownerOf },
  });
  observeEnds(site, (finished) => listener.finished(finished));
  const gate = gateOf(site, submit);
  const arrivals = createArrivals<TraceJob>((job, atMs) => gate.submit(job, atMs));
  const present: Actor[] = [arrivals, ...actors];
  if (operations.length > 0) present.push(createOperations(site, operations, listener));
  present.push(gate);
  if (looks !== undefined) present.push(createSampler(site.machine, looks));
  const driven = createDrive(site, present);
  return feedOf(driven, arrivals);
}

/** The discipline of a request that names no program. */
export function ownDiscipline({ discipline }: Pick<SimulationRequest, "discipline">): PlainDiscipline {
  if (isProgram(discipline)) throw new Error("what must hold: a program has its own replay");
  return discipline;
}

function driverOf(replay: Feed<TraceJob>): SiteDriver {
  return {
    offer: async (jobs) => {
      for (const job of jobs) replay.offer(job);
    },
    finish: async () => replay.finish(),
    stop: async () => {},
  };
}
