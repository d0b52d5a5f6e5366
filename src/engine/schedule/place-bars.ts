/**
 * Rows of a schedule's bars, a row a processor: the present and the future from now on, the past backwards
 * from now, so that what runs has the same rows in both; jobs in a reservation in the reservation's rows.
 */
import { packRows, type RowSpan, type UnplacedBar } from "../../base/index.ts";
import type { Bar, PlacedBar } from "./bar.ts";

/** Nodes of a site in the order of their rows. */
interface NodeRows {
  readonly name: string;
  readonly procs: number;
}

/** Where bars are placed. */
export interface RowsOfSite {
  readonly nowMs: number;
  readonly procs: number;
  /** None where the site knows none. */
  readonly nodes: readonly NodeRows[];
  /** Rows of bars in the schedule before, by key. */
  readonly before: Pick<ReadonlyMap<string, readonly RowSpan[]>, "get">;
}

/** The bars with their rows, in the same order. */
export function placeBars(bars: readonly Bar[], site: RowsOfSite): readonly PlacedBar[] {
  const rowsOf = new Map<string, readonly RowSpan[]>();
  const rowsOfNode = nodeRows(site.nodes);
  const spanned = (bar: Bar): UnplacedBar => {
    const within = bar.nodes.flatMap((name) => rowsOfNode.get(name) ?? []);
    const had = rowsOf.get(bar.key) ?? site.before.get(bar.key);
    const { startMs: from, endMs: until, procs } = bar;
    return {
      ...{ from, until: Math.max(until, from), procs, before: had },
      ...(within.length === 0 ? {} : { within }),
    };
  };
  const place = (group: readonly Bar[], rows: number, timed: (bar: UnplacedBar) => UnplacedBar): void => {
    const packed = packRows(
      group.map((bar) => timed(spanned(bar))),
      rows,
    );
    for (const [at, { key }] of group.entries()) rowsOf.set(key, packed[at]);
  };
  const own = bars.filter(({ inside, startMs }) => inside === null && Number.isFinite(startMs));
  const rest = own.filter(({ endMs }) => endMs > site.nowMs);
  place(rest, site.procs, (bar) => bar);
  const sofar = own.filter(({ startMs }) => startMs < site.nowMs);
  place(sofar, site.procs, ({ from, until, ...bar }) => ({ ...bar, from: -until, until: -from }));
  placeInside(bars, rowsOf);
  return bars.map((bar) => ({ ...bar, rows: rowsOf.get(bar.key) ?? [] }));
}

function nodeRows(nodes: readonly NodeRows[]): ReadonlyMap<string, readonly RowSpan[]> {
  let first = 0;
  return new Map(
    nodes.map(({ name, procs }) => {
      const span: RowSpan = [first, procs];
      first += procs;
      return [name, [span]];
    }),
  );
}

/** Jobs of reservations, in rows of these. */
function placeInside(bars: readonly Bar[], rowsOf: Map<string, readonly RowSpan[]>): void {
  const groups = new Map<string, Bar[]>();
  for (const bar of bars) {
    if (bar.inside === null || !Number.isFinite(bar.startMs)) continue;
    const group = groups.get(bar.inside);
    if (group === undefined) groups.set(bar.inside, [bar]);
    else group.push(bar);
  }
  for (const [reservation, group] of groups) {
    const rows = (rowsOf.get(reservation) ?? []).flatMap(([first, count]) =>
      Array.from({ length: count }, (_, at) => first + at),
    );
    const asked = group.map(({ startMs: from, endMs: until, procs }) => ({ from, until, procs }));
    for (const [at, spans] of packRows(asked, rows.length).entries()) {
      rowsOf.set(
        group[at].key,
        spans.flatMap((span) => mapped(span, rows)),
      );
    }
  }
}

/** Rows of a span that counts the rows of a reservation; those beyond them are left out. */
function mapped([first, count]: RowSpan, rows: readonly number[]): readonly RowSpan[] {
  const spans: [number, number][] = [];
  for (const row of rows.slice(first, first + count)) {
    const last = spans.at(-1);
    if (last !== undefined && last[0] + last[1] === row) last[1]++;
    else spans.push([row, 1]);
  }
  return spans;
}
