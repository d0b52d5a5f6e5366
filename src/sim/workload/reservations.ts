/**
 * The reservations of a workload: made before the first job, in a pool or on its nodes (rules SI-51, SI-97).
 * One that is over by then is left out, and one that is under way begins then.
 */
import { Fault, formatPosition, MS_PER_SECOND } from "../../base/index.ts";
import { lineFault } from "../../formats/workload-jsonl/index.ts";
import {
  type NodeRequest,
  type ReservationHit,
  type ReservationRefusal,
  reserve,
} from "../../queue/index.ts";
import { shapeOf } from "./jobs.ts";
import type { NodeSide } from "./nodes-asked.ts";
import type { Play } from "./play-state.ts";
import { poolNamed, vectorOf } from "./site.ts";
import type { WorkloadFrame, WorkloadReservation } from "./workload.ts";

/**
 * Makes the reservations of a workload, in the order of the file.
 *
 * @throws Fault `poolUnknown`; `reservationConflict` where one finds no room; `reservationNodes` where it
 * says nodes and pools have none; `workloadParts`
 */
export function makeReservations(play: Play): void {
  const { reservations, site } = play.workload;
  for (const [id, reservation] of reservations.entries()) {
    const lying = lyingOf(play.workload, reservation);
    if (lying === undefined) continue;
    const why = site.hasNodes
      ? lieOnNodes(play.workload, { id, nodes: play.nodes, lying })
      : lieInPool(play, id, lying);
    if (why !== undefined) throw conflict(reservation, why);
  }
}

/** Where and when a reservation lies; undefined where it has ended before anything happens. */
function lyingOf({ site, originMs }: WorkloadFrame, reservation: WorkloadReservation): Lying | undefined {
  const { file, line, nodes, startMs, durationMs } = reservation;
  if (nodes !== undefined && !site.hasNodes) throw withoutNodes(reservation);
  const pool = reservation.pool === undefined ? 0 : poolNamed(site, reservation.pool, { file, line });
  const untilMs = startMs + durationMs - originMs;
  return untilMs <= 0 ? undefined : { pool, fromMs: Math.max(0, startMs - originMs), untilMs };
}

/**
 * Those that are still to come as amounts of pools, with what tells why one cannot be made; where there are
 * nodes, with what makes it there.
 *
 * @throws Fault `poolUnknown`, `reservationNodes`; what tells and what makes throw `reservationConflict`
 */
export function reservedAmounts(workload: WorkloadFrame, nodes: NodeSide | undefined) {
  const { reservations, site } = workload;
  return reservations.flatMap((reservation, id) => {
    const lying = lyingOf(workload, reservation);
    if (lying === undefined) return [];
    const { pool, fromMs, untilMs } = lying;
    const fixed = { pool, need: vectorOf(reservation, site.resources), startMs: fromMs };
    const refused = (refusal: ReservationRefusal): never => {
      throw conflict(reservation, whyNot(refusal));
    };
    const lie = (): void => {
      const why = lieOnNodes(workload, { id, nodes, lying });
      if (why !== undefined) throw conflict(reservation, why);
    };
    const onNodes = nodes === undefined ? {} : { onNodes: lie };
    return [{ ...fixed, durationMs: untilMs - fromMs, refused, ...onNodes }];
  });
}

/** Notes what an outage of a node did to a reservation there. */
export function noteChange(
  { workload, counts }: Pick<Play, "workload" | "counts">,
  { node, atMs }: { readonly node: number; readonly atMs: number },
  { reservation, pool, perTask, moved, missing, fromMs, untilMs }: ReservationHit,
): void {
  const { site, reservations } = workload;
  const [procs] = perTask;
  counts.reservedMissingProcMs += missing * procs * (untilMs - fromMs);
  counts.reservationChanges.push({
    reservation: reservations[reservation].id,
    pool: site.pools[pool].name,
    ...{ node, atSec: atMs / MS_PER_SECOND },
    movedProcs: moved.reduce((sum, share) => sum + share.tasks * procs, 0),
    movedTo: moved.map((share) => share.node),
    missingProcs: missing * procs,
    missingFromSec: missing === 0 ? null : fromMs / MS_PER_SECOND,
    missingUntilSec: missing === 0 ? null : untilMs / MS_PER_SECOND,
  });
}

/** Where and when a reservation lies. */
type Lying = Pick<NodeRequest, "pool" | "fromMs" | "untilMs">;

/** Makes a reservation in a pool; returns the reason where it does not fit. */
function lieInPool(play: Play, id: number, { pool, fromMs, untilMs }: Lying): string | undefined {
  const { reservations, site } = play.workload;
  const need = vectorOf(reservations[id], site.resources);
  const fixed = { pool, need, startMs: fromMs, durationMs: untilMs - fromMs };
  const refusal = reserve(play.site.machine, id, fixed, 0);
  const times = { start: seconds(fromMs), duration: seconds(untilMs - fromMs) };
  if (refusal === undefined) play.program?.tell({ kind: "reserved", id, pool, procs: need[0], ...times });
  return refusal === undefined ? undefined : whyNot(refusal);
}

interface LyingOnNodes {
  readonly id: number;
  readonly nodes: NodeSide | undefined;
  readonly lying: Lying;
}

/** Makes a reservation on nodes; returns the reason where it does not fit. */
function lieOnNodes(
  { reservations, site }: WorkloadFrame,
  { id, nodes, lying }: LyingOnNodes,
): string | undefined {
  const entry = reservations[id];
  const shape = shapeOf(entry, `reservation ${entry.id}`, site, entry.file);
  const missing = nodes?.reserve(id, { ...lying, shape }) ?? 0;
  if (missing === 0) return undefined;
  const parts = `${shape.tasks} ${entry.nodes === undefined ? "tasks" : "parts"}`;
  const time = `from ${seconds(lying.fromMs)} s to ${seconds(lying.untilMs)} s`;
  return `${shape.tasks - missing} of its ${parts} find a node with room ${time}`;
}

function whyNot(refusal: ReservationRefusal): string {
  if (refusal.kind !== "conflict") return refusal.kind;
  return `it is short of ${refusal.shortage.missing.join(", ")} at ${seconds(refusal.shortage.atMs)} s`;
}

function conflict({ file, line, id }: WorkloadReservation, why: string): Fault {
  return new Fault({
    kind: "refused",
    code: "reservationConflict",
    what: `${formatPosition({ file, line, column: 1 })}: reservation ${id} cannot be made`,
    why: `${why}, in seconds after the first job`,
    remedy: "make it smaller, shorter or at another time, or remove another one",
  });
}

function withoutNodes({ file, line, id }: WorkloadReservation): Fault {
  return lineFault({ file, line }, 1, {
    code: "reservationNodes",
    what: `reservation ${id} gives nodes, but the pools have none`,
    why: "in a pool without nodes only an amount can be reserved",
    remedy: 'remove nodes, or describe them in the pools: {"pool": "all", "nodes": 8, "procs": 16}',
  });
}

function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}
