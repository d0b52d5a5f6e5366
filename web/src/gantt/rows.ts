import type { GanttBar, PlacedBar, Rows, RowsBy } from "./bar.ts";

/** Places bars in rows: by processor as they are given; else a row a job, or the fewest that hold a group. */
export function rowsOf(bars: readonly GanttBar[], by: RowsBy, processors: number): Rows {
  if (by === "processor") {
    const placed = bars.filter(({ rows }) => rows.length > 0).map((bar) => ({ bar, rows: bar.rows }));
    let count = processors;
    for (const { rows } of placed) for (const span of rows) count = Math.max(count, span[0] + span[1]);
    return { bars: placed, count, groups: [] };
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
