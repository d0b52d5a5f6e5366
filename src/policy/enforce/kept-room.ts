/**
 * The room that is kept for the first job that does not fit (rule PO-12), so that a wide job is not starved.
 *
 * As EASY's reservation, by estimates: when it could start, and what would be in use then. Departs from
 * EASY in that the shares which `dedicated` consumers keep are those of that instant.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import { endsAtMs, isInUse, type Look, memoryAlone, type Row, wantedBy } from "./look.ts";
import { copyOccupancy, emptyOccupancy, fits, type Occupancy, occupy } from "./occupancy.ts";

/** Room for a job. */
export interface KeptRoom {
  readonly row: Row;
  /** From when it fits. */
  readonly fromMs: number;
  /** What of the others is still in use then. */
  readonly then: Occupancy;
}

/** What is in use when all that is in use now has ended: the memory of those who are suspended. */
export function emptied(look: Look): Occupancy {
  const after = emptyOccupancy(look.levels, look.site.available);
  if (look.suspendedCount === 0) return after;
  for (const row of look.rows) if (row.state === "suspended") occupy(after, row.level, memoryAlone(row), 1);
  return after;
}

/** Keeps room for a job that does not fit now, and will by estimates. */
export function keepRoom(look: Look, row: Row): KeptRoom | undefined {
  const { nowMs, rows } = look;
  const then = copyOccupancy(look.now);
  const ends = createHeap(look.inUseCount + 1);
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

/** Whether a candidate can be let go beside the room that is kept. */
export function leavesRoom({ row, fromMs, then }: KeptRoom, other: Row, nowMs: number): boolean {
  if (endsAtMs(other, nowMs) <= fromMs) return true;
  const wanted = wantedBy(other);
  occupy(then, other.level, wanted, 1);
  const stillFits = fits(then, row.level, wantedBy(row));
  occupy(then, other.level, wanted, -1);
  return stillFits;
}

/** Counts a job out of what is in use then (`sign` −1), before its state changes, and in again after it. */
export function countThen({ fromMs, then }: KeptRoom, row: Row, nowMs: number, sign: 1 | -1): void {
  if (isInUse(row) && endsAtMs(row, nowMs) > fromMs) occupy(then, row.level, row.need, sign);
  if (row.state === "suspended") occupy(then, row.level, memoryAlone(row), sign);
}
