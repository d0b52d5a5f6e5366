/**
 * Reservations beside a trace: made before the first job, and refused with their line (rule SI-97).
 */
import { Fault, formatPosition, MS_PER_SECOND } from "../base/index.ts";
import { type ReservationRow, readReservationsCsv } from "../formats/index.ts";
import type { OperationRefusal, ReplayListener, ReplayOperation } from "../queue/index.ts";

/**
 * Reads the reservations for a trace, which has processors only.
 *
 * @throws Fault as `readReservationsCsv`, and `reservationNodes` where one says nodes
 */
export async function readTraceReservations(file: string | undefined): Promise<readonly ReservationRow[]> {
  const rows = file === undefined ? [] : await readReservationsCsv(file);
  const parted = rows.find(({ nodes }) => nodes !== undefined);
  if (parted === undefined) return rows;
  throw new Fault({
    kind: "badInput",
    code: "reservationNodes",
    what: `${file}:${parted.line}:1: reservation ${parted.id} says nodes, and a trace knows none`,
    why: "what is reserved beside a trace in SWF is an amount of processors",
    remedy: "leave the field empty, or write the workload in JSON lines (docs/guides/workload-format.md)",
  });
}

/** The operations that make them, numbered by their places. */
export function reserveAll(rows: readonly ReservationRow[]): readonly ReplayOperation[] {
  return rows.map((row, reservation) => ({
    kind: "reserve",
    atMs: 0,
    reservation,
    fixed: { pool: 0, need: [row.procs], startMs: row.startMs, durationMs: row.durationMs },
  }));
}

/** Source of the reservations, and the resource that they take, in words. */
export interface ReservationPlace {
  readonly file: string;
  /** For instance `the machine has 128 in all`. */
  readonly limit: string | undefined;
}

/** Throws a Fault, `reservationConflict`, for a reservation that does not fit. */
export function refusedAt(
  rows: readonly ReservationRow[],
  { file, limit }: ReservationPlace,
): NonNullable<ReplayListener["refused"]> {
  return (operation, refusal) => {
    const row = operation.kind === "reserve" ? rows[operation.reservation] : undefined;
    const where = formatPosition({ file, line: row?.line ?? 0, column: 1 });
    throw new Fault({
      kind: "refused",
      code: "reservationConflict",
      what: `${where}: reservation ${row?.id} cannot be made`,
      why: [whyNot(refusal), limit].filter((part) => part !== undefined).join("; "),
      remedy: "make it smaller, shorter or at another time, or take another one out",
    });
  };
}

function whyNot(refusal: OperationRefusal): string {
  if (refusal.kind !== "conflict") return refusal.kind;
  const { missing, atMs } = refusal.shortage;
  return `${missing[0]} processors are missing at ${atMs / MS_PER_SECOND} s`;
}
