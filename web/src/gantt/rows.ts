import type { GanttBar, PlacedBar, Rows, RowsBy } from "./bar.ts";

/** Rows by processor of bars, with the number of processors that they are of. */
const kept = new WeakMap<readonly GanttBar[], { readonly processors: number; readonly rows: Rows }>();

/**
 * Places bars in rows: by processor as they are given, made once for them; else a row a job, or the fewest
 * that hold a group. A bar on several nodes is in a row of each. Free slots are only shown by processor.
 */
export function rowsOf(
  bars: readonly GanttBar[],
  by: RowsBy,
  processors: number,
  nodes: readonly string[] = [],
): Rows {
  if (by === "processor") {
    const known = kept.get(bars);
    if (known?.processors === processors) return known.rows;
    const rows = byProcessor(bars, processors);
    kept.set(bars, { processors, rows });
    return rows;
  }
  const inOrder = bars.filter(({ kind }) => kind !== "free").sort((a, b) => a.from - b.from);
  if (by === "job") {
    return {
      bars: inOrder.map((bar, row) => ({ bar, rows: [[row, 1]] })),
      count: inOrder.length,
      groups: [],
    };
  }
  if (by === "node") return byNode(inOrder, nodes);
  const groups = groupsOf(inOrder, (bar) => [bar[by]]);
  return grouped([...groups].sort(([a], [b]) => a.localeCompare(b)));
}

function byProcessor(bars: readonly GanttBar[], processors: number): Rows {
  const placed: PlacedBar[] = [];
  let count = processors;
  for (const bar of bars) {
    for (const piece of bar.pieces ?? []) placed.push({ bar, rows: piece.rows, piece });
    const { rows } = bar;
    if (rows.length === 0) continue;
    if (bar.pieces === undefined) placed.push({ bar, rows });
    for (const span of rows) count = Math.max(count, span[0] + span[1]);
  }
  return { bars: placed, count, groups: [] };
}

/** Nodes in their order, those without a job too; then what is on no known node. */
function byNode(bars: readonly GanttBar[], nodes: readonly string[]): Rows {
  const groups = groupsOf(bars, (bar) => bar.nodes ?? []);
  const others = [...groups.keys()].filter((name) => !nodes.includes(name)).sort();
  const elsewhere = bars.filter((bar) => (bar.nodes ?? []).length === 0);
  return grouped([
    ...[...nodes, ...others].map((name): Group => [name, groups.get(name) ?? []]),
    ...(elsewhere.length === 0 ? [] : [["node not known", elsewhere] as const]),
  ]);
}

type Group = readonly [name: string, members: readonly GanttBar[]];

function groupsOf(
  bars: readonly GanttBar[],
  namesOf: (bar: GanttBar) => readonly string[],
): Map<string, GanttBar[]> {
  const groups = new Map<string, GanttBar[]>();
  for (const bar of bars) {
    for (const name of namesOf(bar)) {
      const members = groups.get(name);
      if (members === undefined) groups.set(name, [bar]);
      else members.push(bar);
    }
  }
  return groups;
}

/** Groups below each other, each in the fewest rows that hold its bars, and in one row at least. */
function grouped(groups: readonly Group[]): Rows {
  const rowsOfBar = new Map<GanttBar, (readonly [first: number, count: number])[]>();
  const names: { first: number; name: string }[] = [];
  let first = 0;
  for (const [name, members] of groups) {
    names.push({ first, name });
    const ends: number[] = [];
    for (const bar of members) {
      const found = ends.findIndex((end) => end <= bar.from);
      const lane = found === -1 ? ends.length : found;
      ends[lane] = bar.until;
      const rows = rowsOfBar.get(bar);
      if (rows === undefined) rowsOfBar.set(bar, [[first + lane, 1]]);
      else rows.push([first + lane, 1]);
    }
    first += Math.max(1, ends.length);
  }
  return { bars: [...rowsOfBar].map(([bar, rows]) => ({ bar, rows })), count: first, groups: names };
}
