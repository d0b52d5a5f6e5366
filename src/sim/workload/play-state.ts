/**
 * Settings and results of the simulation of a workload, and the state that its actors share.
 */
import type {
  PriorityRules,
  ReservationChange,
  ReservingRules,
  SimulationRequest,
  StoppedRule,
} from "../../model/index.ts";
import {
  cancelAt,
  type DrivenSite,
  type EndedJobs,
  type FinishedJob,
  restartAt,
  type WorkloadDrive,
} from "../../queue/index.ts";
import type { EnforcedWorkload } from "../enforcing/enforced-input.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import type { DecidingProgram, ProgramRequest } from "../external/deciding-program.ts";
import type { ReservedJob } from "../reserving/reservable-site.ts";
import type { Reserver } from "../reserving/reserver.ts";
import type { Looks } from "../slots/sampler.ts";
import type { NodeSide } from "./nodes-asked.ts";
import type { WorkloadFrame, WorkloadJob } from "./workload.ts";

/** Rules of a simulation. */
export interface PlayRules {
  readonly discipline: SimulationRequest["discipline"];
  readonly stoppedJobs: StoppedRule;
  /** Order of the queue; by arrival where absent. */
  readonly priority?: PriorityRules | undefined;
  /** Policies by which an enforcer lets jobs in; without an enforcer where absent. */
  readonly policies?: TracePolicies | undefined;
  /** Which jobs reserve, drawn from a seed. */
  readonly reserving?: ReservingDraw | undefined;
  /** The file, for what is wrong with it. */
  readonly file: string;
  /**
   * Number of jobs, the first ones, that ran already when the record begins; they go before all others,
   * whatever the priority.
   */
  readonly underWay?: number;
  /** Looks at the site now and then. */
  readonly looks?: Looks | undefined;
  /** Asked at every instant; throws to stop. */
  readonly checkStop?: () => void;
  /** Program that decides on starts, where the discipline is one. */
  readonly program?: Pick<ProgramRequest, "request" | "hooks" | "apart">;
}

/** Jobs that make reservations, drawn from a seed. */
interface ReservingDraw {
  readonly rules: ReservingRules;
  readonly seed: number;
}

/** A job that came to its end. Its start is its last one. */
export interface DoneJob extends FinishedJob<WorkloadJob> {
  /** The reservation that it ran in, where it held one. */
  readonly reserved?: ReservedJob<WorkloadJob>;
}

/** Counts of a simulation, as in the report. */
export interface PlayedCounts {
  /** Jobs that were cancelled while they ran. */
  readonly interrupted: WorkloadJob[];
  cancelledWaiting: number;
  cancelledRunning: number;
  cancelledEnded: number;
  outages: number;
  stopped: number;
  requeued: number;
  lost: number;
  brokenReservations: number;
  /** Effects of outages on reservations that lie on nodes. */
  readonly reservationChanges: ReservationChange[];
  /** In processor-milliseconds. */
  reservedMissingProcMs: number;
  startedLate: number;
  /** In processor-milliseconds; a sum of products that are exact. */
  wastedProcMs: number;
  /** Capacity that was down, with its period, which is cut at the last end. */
  readonly down: { readonly procs: number; readonly fromMs: number; readonly untilMs: number }[];
}

/** Callbacks for ends of jobs. */
export interface Ends {
  /** Called after each call with all ends, in columns that the next call overwrites. */
  readonly ended?: (ended: EndedJobs) => void;
  /**
   * Called for each end with its job; for a job in a reservation already when the reservation is accepted.
   */
  readonly finished?: (done: DoneJob) => void;
  /**
   * Called where an end that was reported for a job in a reservation will not come, because of an outage or a
   * cancellation.
   */
  readonly takenBack?: (job: WorkloadJob) => void;
}

/** A play under way. */
export interface WorkloadPlay extends WorkloadDrive<WorkloadJob> {
  readonly counts: PlayedCounts;
  /** Actions of an enforcer, at the end of the simulation. */
  enforced?(): EnforcedWorkload;
  /** Nothing goes on any more, however the play went. */
  stop(): Promise<void>;
}

/** Parts of a workload that its actors share. */
export interface Play {
  readonly workload: WorkloadFrame;
  readonly rules: PlayRules;
  readonly ends: Ends;
  /** Puts a job into the queue, or before it where its user's limit says so. */
  readonly submit: (job: WorkloadJob, atMs: number) => void;
  readonly site: DrivenSite<WorkloadJob>;
  /** Takes a job away that its user's limit keeps out of the queue; false where it is none. */
  readonly withdraw: (job: WorkloadJob) => boolean;
  readonly nodes: NodeSide | undefined;
  readonly counts: PlayedCounts;
  readonly program: DecidingProgram<WorkloadJob> | undefined;
  readonly reserver: Reserver<WorkloadJob> | undefined;
}

/** A job that ran is stopped, and comes again or not (rule QU-26). */
export function bringBack({ site, counts, rules, program }: Play, handle: number, atMs: number): void {
  if (rules.stoppedJobs === "requeue") {
    restartAt(site, handle, atMs);
    program?.tellOf(site.jobs[handle], { kind: "requeued" });
    counts.requeued++;
    return;
  }
  cancelAt(site, handle, atMs);
  counts.lost++;
}

/** Notes the processor time of a job that ran and did not come to its end. */
export function noteWaste({ site: { jobs, startMs }, counts }: Play, handle: number, atMs: number): void {
  counts.wastedProcMs += jobs[handle].need[0] * (atMs - startMs[handle]);
}

/** The counts of a play in which nothing has happened. */
export function nothingPlayed(cancelledWaiting: number): PlayedCounts {
  return {
    ...{ interrupted: [], cancelledWaiting, cancelledRunning: 0, cancelledEnded: 0 },
    ...{ outages: 0, stopped: 0, requeued: 0, lost: 0, brokenReservations: 0, startedLate: 0 },
    ...{ reservationChanges: [], reservedMissingProcMs: 0, wastedProcMs: 0, down: [] },
  };
}
