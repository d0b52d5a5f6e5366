/**
 * Questions of a driver to the nodes of a site.
 */
import type { NodeRequest, ReservationHit } from "../../queue/index.ts";
import type { WorkloadJob } from "./workload.ts";

/** A node that goes down now, and who waits then, in queue order. */
interface NodeDown {
  readonly pool: number;
  readonly node: number;
  readonly untilMs: number;
  readonly nowMs: number;
  readonly waiting: readonly number[];
}

/** Jobs that wait after everything else at an instant. */
interface WaitingNow {
  /** All of them in queue order. */
  readonly waiting: readonly number[];
  /** Those that arrived at the instant, in order of arrival. */
  readonly coming: readonly number[];
}

/** A job as it lies on nodes. */
export type PlacedJob = Pick<WorkloadJob, "pools" | "estimateMs"> & Required<Pick<WorkloadJob, "shape">>;

/** Requests of a driver to the nodes of a site. */
export interface NodeSide {
  /** Puts who starts now onto nodes; gives their handles. */
  choose(queue: WaitingNow, jobOf: (handle: number) => PlacedJob, nowMs: number): readonly number[];
  /** Next instant at which a job could start without any event. */
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
