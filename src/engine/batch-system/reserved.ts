/**
 * Amounts of a node that reservations leave to a job that would start now.
 *
 * A reservation that takes only some of a node's processors leaves the others; which ones is not shown.
 */
import type { ClusterJob, ClusterNode, ClusterReservation } from "../../model/index.ts";
import type { NodeRoom } from "./node-fit.ts";
import type { ClusterView } from "./view.ts";

const NO_ROOM: NodeRoom = { procs: 0, memoryBytes: 0, gpus: 0 };

/** The reservations of a node that a job which started now would run into, its own left out. */
export function concerning(
  { reservedOn, nowMs }: ClusterView,
  { reservation, limitMs }: ClusterJob,
  { name }: ClusterNode,
): readonly ClusterReservation[] {
  const endMs = nowMs + (limitMs ?? Number.POSITIVE_INFINITY);
  return (reservedOn.get(name) ?? []).filter((it) => {
    return it.name !== reservation && it.endAtMs > nowMs && it.startAtMs < endMs;
  });
}

/** Free amounts of a node that reservations leave to a job. */
export function leftBeside(view: ClusterView, job: ClusterJob, node: ClusterNode, free: NodeRoom): NodeRoom {
  if (!isWithin(view, job, node)) return NO_ROOM;
  let { procs } = free;
  for (const reservation of concerning(view, job, node)) {
    const taken = procsOn(view, reservation, node);
    if (taken >= node.procs) return NO_ROOM;
    procs -= taken;
  }
  return { ...free, procs: Math.max(0, procs) };
}

/** Processors of a node in a reservation: each of its nodes gives the same part. */
export function procsOn(
  { nodes }: ClusterView,
  reservation: ClusterReservation,
  { procs, name }: ClusterNode,
): number {
  const total = reservation.nodes.reduce((sum, it) => sum + (nodes.get(it)?.procs ?? 0), 0);
  if (reservation.procs <= 0 || reservation.procs >= total || !reservation.nodes.includes(name)) return procs;
  return Math.min(procs, Math.ceil((reservation.procs * procs) / total));
}

/** A job in a reservation stays on its nodes, unless the reservation is flexible. */
function isWithin(
  { reservations }: ClusterView,
  { reservation }: ClusterJob,
  { name }: ClusterNode,
): boolean {
  if (reservation === null) return true;
  const own = reservations.get(reservation);
  return own === undefined || own.flags.includes("FLEX") || own.nodes.includes(name);
}
