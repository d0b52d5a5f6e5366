/**
 * The state of a workload that is being played, and what its driver does when a job stops.
 */
import type { PriorityRules, ReservationChange, StoppedRule } from "../../model/index.ts";
import {
  cancelAt,
  type DrivenSite,
  type FinishedJob,
  type Machine,
  type NodeRequest,
  type Owner,
  type ReservationHit,
  restartAt,
} from "../../queue/index.ts";
import type { SiteEvent } from "../external/protocol.ts";
import type { Looks } from "../slots/sampler.ts";
import type { WorkloadJob } from "./jobs.ts";
import type { PreparedWorkload } from "./prepare.ts";

/** Rules of a simulation. */
export interface PlayRules {
  readonly discipline: Machine["rules"]["discipline"];
  readonly stoppedJobs: StoppedRule;
  /** Order of the queue; by arrival where absent. */
  readonly priority?: PriorityRules | undefined;
  /** The file, for what is wrong with it. */
  readonly file: string;
  /** So many of the first jobs ran already when the record begins: no priority comes before them. */
  readonly underWay?: number;
  /** Looks at the site now and then. */
  readonly looks?: Looks | undefined;
  /** Asked at every instant; throws to stop. */
  readonly checkStop?: () => void;
}

/** A job that came to its end, in which pool. Its start is its last one. */
export interface DoneJob extends FinishedJob<WorkloadJob> {
  readonly pool: number;
}

/** Outcome of a simulation; counts as in the report. */
export interface Played {
  /** In the order in which they ended. */
  readonly done: DoneJob[];
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
  /** Where reservations lie on nodes: what outages did to them. */
  readonly reservationChanges: ReservationChange[];
  /** In processor-milliseconds. */
  reservedMissingProcMs: number;
  startedLate: number;
  /** In processor-milliseconds; a sum of products that are exact. */
  wastedProcMs: number;
  /** What was down, when: to be cut at the last end. */
  readonly down: { readonly procs: number; readonly fromMs: number; readonly untilMs: number }[];
}

/** A play under way: the site, and what of a workload its actors share. */
export interface Play {
  readonly workload: PreparedWorkload;
  readonly rules: PlayRules;
  readonly site: DrivenSite<WorkloadJob>;
  /** Takes a job away that its user's limit keeps out of the queue; false where it is none. */
  readonly withdraw: (job: WorkloadJob) => boolean;
  readonly nodes: NodeSide | undefined;
  readonly played: Played;
  /** Tells a program that decides what happens beside arrivals and ends. */
  tell: (event: SiteEvent) => void;
}

/** A node that goes down now, and who waits then, in queue order. */
interface NodeDown {
  readonly pool: number;
  readonly node: number;
  readonly untilMs: number;
  readonly nowMs: number;
  readonly waiting: readonly number[];
}

/** Who waits when everything at an instant has happened. */
interface WaitingNow {
  /** All of them in queue order. */
  readonly waiting: readonly number[];
  /** Those that arrived at the instant, in order of arrival. */
  readonly coming: readonly number[];
}

/** A job as it lies on nodes. */
export type PlacedJob = Pick<WorkloadJob, "pools" | "shape" | "estimateMs">;

/** What a driver asks of the nodes of a site. */
export interface NodeSide {
  /** Puts who starts now onto nodes; gives their handles. */
  choose(queue: WaitingNow, jobOf: (handle: number) => PlacedJob, nowMs: number): readonly number[];
  /** When somebody could start without anything happening. */
  wakeAtMs(): number;
  /** Promised start of a waiting job; undefined under disciplines that promise nothing. */
  promisedMs(handle: number): number | undefined;
  takeOff(handle: number, nowMs: number): void;
  /** A waiting job goes away. */
  leave(handle: number): void;
  bringUp(nowMs: number): void;
  jobsOn(pool: number, node: number): readonly number[];
  isDown(pool: number, node: number): boolean;
  /** Makes a reservation before anything happens; gives how many of its tasks find no node. */
  reserve(id: number, request: NodeRequest): number;
  takeDown(outage: NodeDown): readonly ReservationHit[];
}

/** A job that ran is stopped, and comes again or not (rule QU-26). */
export function bringBack({ site, played, rules, tell }: Play, handle: number, atMs: number): void {
  if (rules.stoppedJobs === "requeue") {
    restartAt(site, handle, atMs);
    tell({ kind: "requeued", id: site.jobs[handle].id });
    played.requeued++;
    return;
  }
  cancelAt(site, handle, atMs);
  played.lost++;
}

/** Owner of a job for a priority; a queue is a partition here. */
export function ownerOf({ user, group, queue }: WorkloadJob): Owner {
  return { user, group, queue, partition: queue };
}

/** Notes the processor time of a job that ran and did not come to its end. */
export function noteWaste({ site: { jobs, startMs }, played }: Play, handle: number, atMs: number): void {
  played.wastedProcMs += jobs[handle].need[0] * (atMs - startMs[handle]);
}
