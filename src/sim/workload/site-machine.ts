/**
 * The site machine of a workload, and the reservations that are made on it before the first job.
 */
import { Fault, formatPosition, MS_PER_SECOND } from "../../base/index.ts";
import type { MachineDiscipline } from "../../model/index.ts";
import {
  createMachine,
  type FixedRectangle,
  type Machine,
  type ReservationRefusal,
} from "../../queue/index.ts";
import type { PlayRules } from "./play-state.ts";
import { type PreparedWorkload, poolNamed } from "./prepare.ts";
import { vectorOf, type WorkloadSite } from "./site.ts";

/** The machine of a site. */
export function createSite({ capacity }: WorkloadSite, discipline: MachineDiscipline): Machine {
  return createMachine(capacity, { discipline });
}

/** The id of an outage, apart from those of the reservations. */
export function outageId({ reservations }: PreparedWorkload, outage: number): number {
  return reservations.length + outage;
}

/** A reservation to be made, and what to throw where it cannot be. */
export interface FixedReservation {
  readonly id: number;
  readonly fixed: FixedRectangle;
  readonly refusedAs: (refusal: ReservationRefusal) => Fault;
}

/**
 * The reservations of a workload that are not over before the first job.
 *
 * @throws Fault `poolUnknown`; `reservationOnNodes` where the site has nodes
 */
export function fixedReservations(
  { site, reservations, originMs }: PreparedWorkload,
  { file }: PlayRules,
): readonly FixedReservation[] {
  return reservations.flatMap((entry, id): FixedReservation[] => {
    const where = formatPosition({ file, line: entry.line, column: 1 });
    if (site.hasNodes) throw onNodes(where);
    const pool = entry.pool === undefined ? 0 : poolNamed(site, entry.pool, { file, line: entry.line });
    const endMs = entry.startMs + entry.durationMs - originMs;
    const startMs = Math.max(0, entry.startMs - originMs);
    if (endMs <= 0) return [];
    const need = vectorOf(entry, site.resources);
    const refusedAs = (refusal: ReservationRefusal) => conflict(`${where}: reservation ${entry.id}`, refusal);
    return [{ id, fixed: { pool, need, startMs, durationMs: endMs - startMs }, refusedAs }];
  });
}

function conflict(what: string, refusal: ReservationRefusal): Fault {
  const why =
    refusal.kind === "conflict"
      ? `it is short of ${refusal.shortage.missing.join(", ")} at ${refusal.shortage.atMs / MS_PER_SECOND} s`
      : refusal.kind;
  return new Fault({
    kind: "refused",
    code: "reservationConflict",
    what: `${what} cannot be made`,
    why: `${why}, in seconds after the first job`,
    remedy: "make it smaller, shorter or at another time, or take another one out",
  });
}

function onNodes(where: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "reservationOnNodes",
    what: `${where}: a reservation cannot be simulated on nodes`,
    why: "it says amounts of a pool, and not on which nodes they lie",
    remedy: "take it out, describe the pools without nodes, or let nodes go down in its time",
  });
}
