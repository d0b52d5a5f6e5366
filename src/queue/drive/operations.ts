/**
 * Operations on a workload beside arrivals and ends, in a list that is known from the beginning.
 */
import type { FixedRectangle } from "../machine.ts";
import { release, resume, type WrongState } from "../operations.ts";
import { cancelReservation, type ReservationRefusal, reserve } from "../reservations.ts";
import type { Actor } from "./drive.ts";
import type { ReplayJob } from "./replay-job.ts";
import { cancelAt, type DrivenSite, handlesById, holdAt, suspendAt } from "./site.ts";

/** An operation on a workload beside arrivals and ends. */
export type ReplayOperation = { readonly atMs: number } & (
  | {
      readonly kind: "cancel" | "hold" | "release" | "suspend" | "resume";
      readonly job: number;
    }
  | {
      readonly kind: "reserve";
      readonly reservation: number;
      readonly fixed: FixedRectangle;
    }
  | { readonly kind: "cancelReservation"; readonly reservation: number }
);

/** Why an operation of a workload was not carried out. */
export type OperationRefusal =
  | WrongState
  | ReservationRefusal
  | { readonly kind: "unknownJob"; readonly job: number };

/** Callbacks for operations carried out and operations refused. */
export interface OperationListener {
  readonly operated?: (operation: ReplayOperation) => void;
  readonly refused?: (operation: ReplayOperation, refusal: OperationRefusal) => void;
}

/**
 * An actor that carries out operations.
 *
 * @param operations in order of time; those of one instant happen in the order given; later ones may be added
 */
export function createOperations<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  operations: readonly ReplayOperation[],
  listener: OperationListener,
): Actor {
  if (operations.some(({ kind }) => kind !== "reserve" && kind !== "cancelReservation")) handlesById(site);
  let next = 0;
  return {
    nextMs: () => operations[next]?.atMs ?? Number.POSITIVE_INFINITY,
    changes(atMs) {
      while (operations[next]?.atMs === atMs) {
        const operation = operations[next++];
        const refusal = carryOut(site, operation, atMs);
        if (refusal === undefined) listener.operated?.(operation);
        else listener.refused?.(operation, refusal);
      }
    },
  };
}

function carryOut<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  operation: ReplayOperation,
  atMs: number,
): OperationRefusal | undefined {
  const { machine } = site;
  if (operation.kind === "reserve") return reserve(machine, operation.reservation, operation.fixed, atMs);
  if (operation.kind === "cancelReservation") {
    return cancelReservation(machine, operation.reservation, atMs);
  }
  const handle = site.handleOf?.get(operation.job);
  if (handle === undefined) return { kind: "unknownJob", job: operation.job };
  switch (operation.kind) {
    case "hold":
      return holdAt(site, handle, atMs);
    case "release":
      return release(machine, handle, atMs);
    case "resume":
      return resume(machine, handle, atMs);
    case "suspend":
      return suspendAt(site, handle, atMs);
    case "cancel":
      cancelAt(site, handle, atMs);
      return undefined;
  }
}
