/**
 * Rows of free slots in a chart: those that no bar takes.
 *
 * A slot is a number of free processors over a time, and which of them are free may change meanwhile. So a
 * slot has pieces: it keeps its rows until a bar takes one of them, then it has others. Where a chart shows
 * fewer free rows than a slot has processors, the slot is drawn with those.
 * Cost: O(rows) for each instant at which slots begin or lose rows.
 */
import type { BarPiece } from "../gantt/bar.ts";

type Spans = BarPiece["rows"];

/** Processors that are free for a time. */
export interface FreeTime {
  readonly from: number;
  readonly until: number;
  readonly procs: number;
}

/** A bar or a slot's piece as a time and the rows that it takes. */
type Taken = Pick<BarPiece, "from" | "until" | "rows">;

interface Change {
  readonly at: number;
  /** True for a begin; at each instant, ends come first. */
  readonly isBegin: boolean;
  readonly taken?: Taken;
  readonly slot?: number;
}

/** The pieces of each slot, in the order of the slots. */
export function placeFree(
  slots: readonly FreeTime[],
  bars: readonly Taken[],
  rows: number,
): readonly (readonly BarPiece[])[] {
  const pieces: BarPiece[][] = slots.map(() => []);
  const uses = new Int32Array(rows);
  const slotOf = new Int32Array(rows).fill(-1);
  const open = new Map<number, number>();
  const close = (slot: number, at: number): void => {
    const from = open.get(slot) ?? at;
    const own = spansWhere(rows, (row) => slotOf[row] === slot);
    if (at > from && own.length > 0) pieces[slot]?.push({ from, until: at, rows: own });
    open.set(slot, at);
  };
  const take = ({ taken, isBegin, at }: Change, isShort: Set<number>): void => {
    for (const [first, count] of taken?.rows ?? []) {
      for (let row = first; row < Math.min(rows, first + count); row++) {
        uses[row] = (uses[row] ?? 0) + (isBegin ? 1 : -1);
        const slot = slotOf[row] ?? -1;
        if (!isBegin || slot === -1) continue;
        if (!isShort.has(slot)) close(slot, at);
        isShort.add(slot);
        slotOf[row] = -1;
      }
    }
  };
  const changes = changesOf(slots, bars);
  for (let next = 0; next < changes.length; ) {
    const at = changes[next]?.at ?? 0;
    const isShort = new Set<number>();
    for (; changes[next]?.at === at; next++) {
      const change = changes[next] as Change;
      const { slot, isBegin } = change;
      if (slot === undefined) take(change, isShort);
      else if (isBegin) {
        open.set(slot, at);
        isShort.add(slot);
      } else {
        close(slot, at);
        open.delete(slot);
        isShort.delete(slot);
        for (let row = 0; row < rows; row++) if (slotOf[row] === slot) slotOf[row] = -1;
      }
    }
    for (const slot of isShort) fill(slot, slots[slot]?.procs ?? 0, { uses, slotOf });
  }
  return pieces;
}

/** Gives a slot the lowest free rows that it lacks. */
function fill(
  slot: number,
  procs: number,
  { uses, slotOf }: { readonly uses: Int32Array; readonly slotOf: Int32Array },
): void {
  let lacks = procs;
  for (const owner of slotOf) if (owner === slot) lacks--;
  for (let row = 0; row < uses.length && lacks > 0; row++) {
    if (uses[row] !== 0 || slotOf[row] !== -1) continue;
    slotOf[row] = slot;
    lacks--;
  }
}

/** Ends before begins at each instant; bars before slots, so that a slot takes what is then free. */
function changesOf(slots: readonly FreeTime[], bars: readonly Taken[]): readonly Change[] {
  const first = slots.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const last = slots.reduce((most, { until }) => Math.max(most, until), 0);
  const changes: Change[] = [];
  const add = ({ from, until }: Pick<FreeTime, "from" | "until">, what: Pick<Change, "taken" | "slot">) => {
    changes.push({ ...what, at: from, isBegin: true }, { ...what, at: until, isBegin: false });
  };
  for (const taken of bars) {
    if (taken.until > first && taken.from < last && taken.until > taken.from) add(taken, { taken });
  }
  for (const [slot, { from, until }] of slots.entries()) if (until > from) add({ from, until }, { slot });
  return changes.sort((a, b) => a.at - b.at || Number(a.isBegin) - Number(b.isBegin));
}

function spansWhere(rows: number, holds: (row: number) => boolean): Spans {
  const spans: [number, number][] = [];
  for (let row = 0; row < rows; row++) {
    if (!holds(row)) continue;
    const last = spans.at(-1);
    if (last !== undefined && last[0] + last[1] === row) last[1]++;
    else spans.push([row, 1]);
  }
  return spans;
}
