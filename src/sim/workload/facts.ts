/**
 * Facts on a workload in JSON lines that was played.
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import type { SimulationRequest, WorkloadFacts } from "../../model/index.ts";
import type { PlayedCounts } from "./play-state.ts";
import type { Workload } from "./workload.ts";

/** Facts for a report; the last job ended at `lastEndMs`. */
export function workloadFacts(
  { stoppedJobs = "requeue" }: Pick<SimulationRequest, "stoppedJobs">,
  { site, fitNowhere, reservations }: Pick<Workload, "site" | "fitNowhere" | "reservations">,
  counts: PlayedCounts,
  lastEndMs: number,
): WorkloadFacts {
  const downProcMs = counts.down.reduce(
    (sum, { procs, fromMs, untilMs }) => sum + procs * Math.max(0, Math.min(untilMs, lastEndMs) - fromMs),
    0,
  );
  const { outages, stopped, requeued, lost, reservationChanges, reservedMissingProcMs } = counts;
  const reservedMissingProcSec = reservedMissingProcMs / MS_PER_SECOND;
  return {
    ...{ pools: site.pools, stoppedJobs, fitNowhere },
    cancelled: {
      waiting: counts.cancelledWaiting,
      running: counts.cancelledRunning,
      ended: counts.cancelledEnded,
    },
    ...{ outages, stopped, requeued, lost },
    brokenReservations: counts.brokenReservations,
    ...(site.hasNodes && reservations.length > 0 ? { reservationChanges, reservedMissingProcSec } : {}),
    startedLate: counts.startedLate,
    wastedProcSec: counts.wastedProcMs / MS_PER_SECOND,
    downProcSec: downProcMs / MS_PER_SECOND,
  };
}

/** No job of a workload in JSON lines came to its end. */
export function nothingEnded(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${file}: no job ends`,
    why: "all of them are cancelled or lost",
    remedy: "check that this is the workload you mean",
  });
}

/** The fault of a simulation in which no job ends, so that there is nothing to measure. */
export function noneEnded(
  { trace, policies }: SimulationRequest,
  { isTrace }: Pick<Workload, "isTrace">,
): Fault {
  if (!isTrace) return nothingEnded(trace);
  const isPoliced = policies !== undefined;
  return new Fault({
    kind: "badInput",
    code: "noJobStarted",
    what: `${trace}: no job ever starts`,
    why: isPoliced
      ? "the policies give a share to none of the trace's users and groups"
      : "no job gets the processors that it needs, or the program of the discipline starts none",
    remedy: isPoliced
      ? "map its users and groups to consumers with --owners FILE, or leave out --policies"
      : "check the reservations and the program",
  });
}
