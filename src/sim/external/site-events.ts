/**
 * Site events as they are sent to a program.
 */
import { unreachable } from "../../base/index.ts";
import type { ReplayJob, ReplayOperation } from "../../queue/index.ts";
import { type SiteEvent, secondsOf } from "./protocol.ts";

/** A job has come. */
export function submitted({
  id,
  need,
  estimateMs,
  user,
}: Pick<ReplayJob, "id" | "need" | "estimateMs"> & { readonly user: number | string }): SiteEvent {
  return { kind: "submitted", id, procs: need[0], estimate: secondsOf(estimateMs), user };
}

/**
 * An operation was carried out.
 *
 * @param restMs of a job that was resumed: what planning assumes it has still to run
 */
export function operated(operation: ReplayOperation, restMs: number): SiteEvent {
  switch (operation.kind) {
    case "cancel":
      return { kind: "cancelled", id: operation.job };
    case "hold":
      return { kind: "held", id: operation.job };
    case "release":
      return { kind: "released", id: operation.job };
    case "suspend":
      return { kind: "suspended", id: operation.job };
    case "resume":
      return { kind: "resumed", id: operation.job, estimate: secondsOf(restMs) };
    case "reserve": {
      const { startMs, durationMs, need } = operation.fixed;
      const times = { start: secondsOf(startMs), duration: secondsOf(durationMs) };
      return { kind: "reserved", id: operation.reservation, procs: need[0], ...times };
    }
    case "cancelReservation":
      return { kind: "reservationCancelled", id: operation.reservation };
    default:
      return unreachable(operation);
  }
}
