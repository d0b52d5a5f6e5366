import type { GanttBar, PlacedBar, Rows, RowsBy } from "./bar.ts";

/** Rows by processor of bars, with the number of processors that they are of. */
const kept = new WeakMap<readonly GanttBar[], { readonly processors: number; readonly rows: Rows }>();

/**
 * Places bars in rows: by processor as they are given, made once for them; else a row a job, or the fewest
 * that hold a group.
 */
export function rowsOf(bars: readonly GanttBar[], by: RowsBy, processors: number): Rows {
  if (by === "processor") {
    const known = kept.get(bars);
    if (known?.processors === processors) return known.rows;
    const rows = byProcessor(bars, processors);
    kept.set(bars, { processors, rows });
    return rows;
  }
  const inOrder = [...bars].sort((a, b) => a.from - b.from);
  if (by === "job") {
    return {
      bars: inOrder.map((bar, row) => ({ bar, rows: [[row, 1]] })),
      count: inOrder.length,
      groups: [],
    };
  }
  return grouped(inOrder, by);
}

function byProcessor(bars: readonly GanttBar[], processors: number): Rows {
  const placed: PlacedBar[] = [];
  let count = processors;
  for (const bar of bars) {
    const { rows } = bar;
    if (rows.length === 0) continue;
    placed.push({ bar, rows });
    for (const span of rows) count = Math.max(count, span[0] + span[1]);
  }
  return { bars: placed, count, groups: [] };
}

function grouped(bars: readonly GanttBar[], by: "consumer" | "partition"): Rows {
  const groups = new Map<string, GanttBar[]>();
  for (const bar of bars) {
    const members = groups.get(bar[by]);
    if (members === undefined) groups.set(bar[by], [bar]);
    else members.push(bar);
  }
  const placed: PlacedBar[] = [];
  const names: { first: number; name: string }[] = [];
  let first = 0;
  for (const [name, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    names.push({ first, name });
    const ends: number[] = [];
    for (const bar of members) {
      const found = ends.findIndex((end) => end <= bar.from);
      const lane = found === -1 ? ends.length : found;
      ends[lane] = bar.until;
      placed.push({ bar, rows: [[first + lane, 1]] });
    }
    first += ends.length;
  }
  return { bars: placed, count: first, groups: names };
}
