/**
 * Reservations of a simulated cluster, and the queue inside each.
 *
 * To the site's own machine a reservation is a fixed rectangle (rule QU-7). Inside it is a machine as large
 * as the rectangle, whose jobs start in order from its start on; it ends with the rectangle. As at real
 * batch systems a job whose limit runs beyond the end may start, and is stopped at the end.
 *
 * The order is tried on a copy of the site's machine, at the instant of the order. Other events of that
 * instant can only free capacity, so the promise holds.
 */
import { assert } from "../../base/index.ts";
import { columnsAt } from "../../model/index.ts";
import {
  advance,
  cancelReservation,
  checkpoint,
  createMachine,
  end,
  machineFrom,
  type ReservationRefusal,
  reserve,
} from "../../queue/index.ts";
import type { ReservationOrder } from "../../runtime/index.ts";
import { endOf, leave, recordEffect, recordEnd } from "./leaving.ts";
import {
  type Cluster,
  type ClusterInput,
  type ClusterJob,
  type ClusterReservation,
  type ClusterRules,
  type QueueOfJobs,
  queueOf,
  type ReservedRectangle,
} from "./simulated-cluster.ts";

/** Part of an input that concerns a reservation. */
export type ReservationChange = Extract<
  ClusterInput,
  { readonly kind: "reserved" | "endMoved" | "unreserved" }
>;

/** Job that occupies the inner machine until the reservation starts. */
const NOT_YET = 1;

/** Reservation as it is, or will be when accepted orders have taken effect. */
export function reservationNow(
  { reservations, coming }: Cluster,
  token: string,
): ReservedRectangle | undefined {
  let now: ReservedRectangle | undefined = reservations.get(token);
  for (const { change } of coming) {
    if (!isReservationChange(change) || change.token !== token) continue;
    now = change.kind === "unreserved" ? undefined : change;
  }
  return now;
}

/** Change that an order needs; undefined: none. */
export function changeFor(cluster: Cluster, order: ReservationOrder): ReservationChange | undefined {
  const { nowMs: atMs, lastReservation } = cluster;
  const { token, ...size } = sizeOf(order);
  const now = reservationNow(cluster, token);
  if (now === undefined || now.endMs <= atMs) {
    const times = { startMs: Math.max(order.startMs, atMs), endMs: order.endMs };
    return { kind: "reserved", atMs, id: lastReservation + 1, token, ...size, ...times };
  }
  // What is over already is over at the next instant.
  const endMs = Math.max(order.endMs, atMs + 1);
  if (endMs === now.endMs) return undefined;
  return { ...rectangleOf(now), kind: "endMoved", atMs, endMs };
}

/** Reason why a change is not possible at the cluster's present instant; undefined: it is possible. */
export function obstacleTo(cluster: Cluster, change: ReservationChange): string | undefined {
  if (change.kind !== "unreserved" && change.endMs <= cluster.nowMs) return "its time is over";
  const { machine, rules, nowMs } = cluster;
  const copy = machineFrom(checkpoint(machine), { discipline: rules.discipline });
  for (const job of cluster.jobs.values()) {
    if (job.endMs === nowMs && queueOf(cluster, job) === cluster) end(copy, job.handle, nowMs);
  }
  for (const it of cluster.coming) {
    if (it.atMs === nowMs && isReservationChange(it.change))
      changeIn({ machine: copy, rules }, it.change, nowMs);
  }
  const refusal = changeIn({ machine: copy, rules }, change, nowMs);
  return refusal && obstacleText(refusal);
}

/** Carries out a change that {@link obstacleTo} found possible. */
export function changeReservation(cluster: Cluster, change: ReservationChange, atMs: number): void {
  const { reservations } = cluster;
  const before = reservations.get(change.token);
  if (change.kind !== "reserved" && before === undefined) return;
  const refusal = changeIn(cluster, change, atMs);
  assert(refusal === undefined, "what could be reserved when it was ordered can be reserved");
  if (change.kind === "reserved") reservations.set(change.token, opened(change, cluster.rules, atMs));
  else if (change.kind === "endMoved" && before !== undefined) before.endMs = change.endMs;
  else if (before !== undefined) close(cluster, before, atMs, "cancelled");
}

/** Ends reservations whose time is over, with their running jobs. */
export function endReservations(cluster: Cluster, atMs: number): void {
  for (const reservation of [...cluster.reservations.values()]) {
    if (reservation.endMs <= atMs) close(cluster, reservation, atMs, "timeLimit");
  }
}

/** Jobs that start inside reservations, each with its queue. */
export function startsInside(cluster: Cluster, atMs: number): readonly [QueueOfJobs, number][] {
  const started: [QueueOfJobs, number][] = [];
  for (const reservation of cluster.reservations.values()) {
    const starts = advance(reservation.machine, atMs);
    for (let i = 0; i < starts.count; i++) started.push([reservation, starts.handles[i]]);
  }
  return started;
}

/** True if a job waits in a reservation that is over: it never starts. */
export function isStranded({ reservations }: Cluster, { own }: ClusterJob): boolean {
  const token = own?.reservation ?? null;
  return token !== null && !reservations.has(token);
}

function rectangleOf(reserved: ReservedRectangle): ReservedRectangle {
  const { id, startMs, endMs } = reserved;
  return { id, ...sizeOf(reserved), startMs, endMs };
}

function sizeOf({ token, procs, memoryBytes, gpus = 0 }: Omit<ReservationOrder, "startMs" | "endMs">) {
  return { token, procs, memoryBytes, ...(gpus === 0 ? {} : { gpus }) };
}

function obstacleText(refusal: ReservationRefusal): string {
  if (refusal.kind !== "conflict") return "its time has begun before it could be kept free";
  const { missing, atMs } = refusal.shortage;
  const [procs = 0, memoryBytes = 0, gpus = 0] = missing;
  const beside = memoryBytes > 0 ? `${memoryBytes} bytes of memory` : `${gpus} GPUs`;
  const what = procs > 0 ? `${procs} processors` : beside;
  return `${what} too few are free at ${new Date(atMs).toISOString()}`;
}

/** True if a change concerns a reservation. */
export function isReservationChange(change: { readonly kind: string }): change is ReservationChange {
  return ["reserved", "endMoved", "unreserved"].includes(change.kind);
}

function changeIn(
  { machine, rules }: Pick<Cluster, "machine" | "rules">,
  change: ReservationChange,
  atMs: number,
): ReservationRefusal | undefined {
  const { id, kind } = change;
  const gone = kind === "reserved" ? undefined : cancelReservation(machine, id, atMs);
  if (kind === "unreserved" || gone !== undefined) return gone;
  const startMs = Math.max(change.startMs, atMs);
  const need = columnsAt(rules, change);
  return reserve(machine, id, { pool: 0, need, startMs, durationMs: change.endMs - startMs }, atMs);
}

function opened(
  reserved: Exclude<ReservationChange, { kind: "unreserved" }>,
  rules: ClusterRules,
  atMs: number,
): ClusterReservation {
  const { startMs } = reserved;
  const need = columnsAt(rules, reserved);
  const machine = createMachine([need], { discipline: "fcfs" }, atMs);
  if (startMs > atMs) {
    const closed = { pool: 0, need, startMs: atMs, durationMs: startMs - atMs };
    assert(reserve(machine, NOT_YET, closed, atMs) === undefined, "an empty machine can be closed");
  }
  return { ...rectangleOf(reserved), machine, byHandle: [] };
}

/** Ends the jobs of a reservation: those that had started, and, if it was released, the waiting ones. */
function close(
  cluster: Cluster,
  { token }: ClusterReservation,
  atMs: number,
  cause: "cancelled" | "timeLimit",
): void {
  for (const job of [...cluster.jobs.values()]) {
    if (job.own?.reservation !== token) continue;
    const { turnAtMs } = job;
    job.handle = -1;
    job.endMs = null;
    if (turnAtMs === null && cause === "timeLimit") job.outside = "held";
    else if (turnAtMs !== null && job.own.imitatedMs === null) stopProgram(cluster, job, cause);
    else {
      recordEnd(cluster, job, atMs, endOf(cause));
      leave(cluster, job, atMs);
    }
  }
  cluster.reservations.delete(token);
}

/** Stops the program of a job, which leaves when the program has ended. */
function stopProgram(cluster: Cluster, job: ClusterJob, cause: "cancelled" | "timeLimit"): void {
  job.outside = "lingering";
  if (job.isCancelling) return;
  job.isCancelling = true;
  job.isOverrun = cause === "timeLimit";
  recordEffect(cluster, job, "cancel");
}
