/**
 * Packing the rectangles of a plan into at most k per site, so that they can be reserved and run by pilots.
 *
 * Rule PL-23. First what joins without idle area; then, while there are too many, of the neighbours in order
 * of start the pair whose joined rectangle adds least idle area and still fits into the free capacity (of the
 * site, or of the slot). Capacity is only ever taken away, so a pair that does not
 * fit is not asked again. Cost: O(r²) for r rectangles after the first step.
 */
import { byStart, mergedInTime, type Rectangle, tasksOf } from "./rectangle.ts";

/** Most rectangles that a site is asked for. */
export const MOST_RECTANGLES = 32;

/** A joined rectangle with the rectangles inside; its procs are the peak of theirs. */
interface Group extends Rectangle {
  readonly inside: readonly Rectangle[];
}

/** The packed rectangles of one site; `capacityOf` says how many processors may be reserved of each slot. */
export function packed(
  rectangles: readonly Rectangle[],
  most: number,
  capacityOf: (of: Rectangle) => number,
): readonly Rectangle[] {
  const whole = rectangles.filter(({ isWhole }) => isWhole);
  const parts = withoutIdle(rectangles.filter(({ isWhole }) => !isWhole));
  let groups: readonly Group[] = parts.map((part) => ({ ...part, inside: [part] }));
  const joinedWith = neighbourJoins();
  const refusedPairs = new Set<Group>();
  while (whole.length + groups.length > most) {
    const at = cheapestPair(groups, refusedPairs, joinedWith);
    if (at < 0) break;
    const joined = joinedWith(groups[at], groups[at + 1]);
    const others = groups.filter((_, i) => i !== at && i !== at + 1);
    if (peakWithin(others, joined) + joined.procs > capacityOf(joined)) refusedPairs.add(groups[at]);
    else {
      if (at > 0) refusedPairs.delete(groups[at - 1]);
      groups = [...others, joined].sort(byStart);
    }
  }
  return [...whole, ...groups.map(({ inside: _, ...rectangle }) => rectangle)].sort(byStart);
}

/** Joins of neighbours, each computed once. */
function neighbourJoins(): (one: Group, other: Group) => Group {
  const known = new WeakMap<Group, { readonly other: Group; readonly joined: Group }>();
  return (one, other) => {
    const before = known.get(one);
    if (before?.other === other) return before.joined;
    const joined = join(one, other);
    known.set(one, { other, joined });
    return joined;
  };
}

/** Joins what joins without idle area: touching in time, or one above the other, until nothing changes. */
function withoutIdle(rectangles: readonly Rectangle[]): readonly Rectangle[] {
  let parts = rectangles;
  for (;;) {
    const next = stacked(mergedInTime(parts));
    if (next.length === parts.length) return next;
    parts = next;
  }
}

/** Rectangles of one slot with the same span, their procs added. */
function stacked(rectangles: readonly Rectangle[]): readonly Rectangle[] {
  const bySpan = new Map<string, Rectangle>();
  for (const next of rectangles) {
    const key = `${next.slot ?? ""} ${next.startMs} ${next.endMs}`;
    const below = bySpan.get(key);
    const joined = below && { ...next, procs: next.procs + below.procs, ...tasksOf(below, next) };
    bySpan.set(key, joined ?? next);
  }
  return [...bySpan.values()].sort(byStart);
}

/** The first of the pair of neighbours whose joining adds least idle area; −1 where none may be joined. */
function cheapestPair(
  groups: readonly Group[],
  refusedPairs: ReadonlySet<Group>,
  joinedWith: (one: Group, other: Group) => Group,
): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < groups.length; at++) {
    const [one, other] = [groups[at], groups[at + 1]];
    if (one.slot !== other.slot || refusedPairs.has(one)) continue;
    const idle = area(joinedWith(one, other)) - area(one) - area(other);
    if (idle >= least) continue;
    least = idle;
    best = at;
  }
  return best;
}

/** From the first start to the last end, with the most processors that are used at once inside. */
function join(one: Group, other: Group): Group {
  const inside = [...one.inside, ...other.inside];
  const span = { startMs: Math.min(one.startMs, other.startMs), endMs: Math.max(one.endMs, other.endMs) };
  return { ...one, ...span, procs: peakOf(inside), inside, ...tasksOf(one, other) };
}

function area({ procs, startMs, endMs }: Rectangle): number {
  return procs * (endMs - startMs);
}

/** The most processors that the others of its slot hold at once during a rectangle. */
export function peakWithin(others: readonly Rectangle[], { slot, startMs, endMs }: Rectangle): number {
  return peakOf(
    others.filter((it) => it.slot === slot && it.startMs < endMs && startMs < it.endMs),
    startMs,
    endMs,
  );
}

/** The most processors of rectangles at one instant of a span. */
function peakOf(rectangles: readonly Rectangle[], fromMs = 0, toMs = Number.POSITIVE_INFINITY): number {
  const changes = rectangles.flatMap((it) => [
    { atMs: Math.max(fromMs, it.startMs), procs: it.procs },
    { atMs: Math.min(toMs, it.endMs), procs: -it.procs },
  ]);
  changes.sort((one, other) => one.atMs - other.atMs || one.procs - other.procs);
  let now = 0;
  let peak = 0;
  for (const { procs } of changes) {
    now += procs;
    peak = Math.max(peak, now);
  }
  return peak;
}
