/**
 * Rows of bars in the schedules before, so that a bar keeps its rows from one answer to the next.
 *
 * Readers of a site that shows the same bars to all share them, whatever period they ask for; where a site
 * hides jobs, bars depend on the reader, and so do their rows. The least recently used are dropped.
 */
import type { RowSpan } from "../base/index.ts";
import type { PlacedBar } from "../engine/index.ts";

/** Rows by whose they are (a site, or a site and its reader) and the key of the bar. */
export interface RememberedRows {
  /** Rows for {@link PlacedBar.key}, as `placeBars` asks for them. */
  of(whose: string): { get(key: string): readonly RowSpan[] | undefined };
  /** Adds the rows of what has begun: what is to come may be planned otherwise the next time. */
  keep(whose: string, bars: readonly PlacedBar[], nowMs: number): void;
}

/** About 30 MB. */
const MOST_ROWS = 200_000;

/** None yet; `most` bars are remembered. */
export function createRememberedRows(most: number = MOST_ROWS): RememberedRows {
  const rowsOf = new Map<string, readonly RowSpan[]>();
  const nameOf = (whose: string, key: string): string => JSON.stringify([whose, key]);
  return {
    of: (whose) => ({ get: (key) => rowsOf.get(nameOf(whose, key)) }),
    keep(whose, bars, nowMs) {
      for (const { key, rows, startMs } of bars) {
        if (startMs > nowMs || rows.length === 0) continue;
        const name = nameOf(whose, key);
        rowsOf.delete(name);
        rowsOf.set(name, rows);
      }
      for (const name of rowsOf.keys()) {
        if (rowsOf.size <= most) break;
        rowsOf.delete(name);
      }
    },
  };
}
