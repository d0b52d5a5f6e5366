/**
 * The reservation for the first candidate that does not fit, so that wide jobs do not starve.
 *
 * As in EASY, by estimates: from when it could start, and what would be in use then. A candidate that would
 * never fit has no reservation.
 * Departs from EASY in that the shares of `dedicated` consumers are those of that instant.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import {
  type EnforcementPass,
  endsAtMs,
  isInUse,
  memoryAlone,
  type Row,
  wantedBy,
} from "./enforcement-pass.ts";
import { copyOccupancy, emptyOccupancy, fits, type Occupancy, occupy } from "./occupancy.ts";

/** Reserved capacity for a job. */
export interface CandidateReservation {
  readonly row: Row;
  /** The first instant at which it fits. */
  readonly fromMs: number;
  /** Occupancy by the other jobs at that instant. */
  readonly then: Occupancy;
}

/** Occupancy after the end of all jobs in use: the memory of suspended jobs. */
export function emptied(pass: EnforcementPass): Occupancy {
  const after = emptyOccupancy(pass.levels, pass.site.available);
  if (pass.suspendedCount === 0) return after;
  for (const row of pass.rows) if (row.state === "suspended") occupy(after, row.level, memoryAlone(row), 1);
  return after;
}

/** The reservation for a job that does not fit now, and will by estimates. */
export function reserveFor(pass: EnforcementPass, row: Row): CandidateReservation | undefined {
  const { nowMs, rows } = pass;
  const then = copyOccupancy(pass.now);
  const ends = createHeap(pass.inUseCount + 1);
  for (let place = 0; place < rows.length; place++) {
    if (isInUse(rows[place])) pushHeap(ends, endsAtMs(rows[place], nowMs), place);
  }
  while (ends.size > 0) {
    const endMs = smallestKey(ends);
    const { level, need } = rows[popHeap(ends)];
    occupy(then, level, need, -1);
    if (smallestKey(ends) === endMs) continue;
    if (fits(then, row.level, wantedBy(row))) return { row, fromMs: endMs, then };
  }
  return undefined;
}

/** True where a candidate can be released without delaying the reservation. */
export function respectsReservation(
  { row, fromMs, then }: CandidateReservation,
  other: Row,
  nowMs: number,
): boolean {
  if (endsAtMs(other, nowMs) <= fromMs) return true;
  const wanted = wantedBy(other);
  occupy(then, other.level, wanted, 1);
  const stillFits = fits(then, row.level, wantedBy(row));
  occupy(then, other.level, wanted, -1);
  return stillFits;
}

/** Removes a job from the future occupancy (`sign` −1) before its state changes, and adds it again after. */
export function countInReservation(
  { fromMs, then }: CandidateReservation,
  row: Row,
  nowMs: number,
  sign: 1 | -1,
): void {
  if (isInUse(row) && endsAtMs(row, nowMs) > fromMs) occupy(then, row.level, row.need, sign);
  if (row.state === "suspended") occupy(then, row.level, memoryAlone(row), sign);
}
