/**
 * Packing the rectangles of a plan into at most k per site, so that they can be reserved and run by pilots.
 *
 * Rule PL-23. First what joins without idle area; then, while there are too many, of the neighbours in order
 * of start the pair whose joined rectangle adds least idle area and still fits into the free capacity (of the
 * site, or of the slot). Capacity is only ever taken away, so a pair that does not
 * fit is not asked again. Memory and GPUs are held as processors are: no join holds more of them at once than
 * is free. Cost: O(r²) for r rectangles after the first step.
 */
import { besideProcs } from "../../model/index.ts";
import { type Amounts, amountsOf, byStart, mergedInTime, type Rectangle, tasksOf } from "./rectangle.ts";

/** Most rectangles that a site is asked for. */
export const MOST_RECTANGLES = 32;

/** A joined rectangle with the rectangles inside; its amounts are the peaks of theirs. */
interface Group extends Rectangle {
  readonly inside: readonly Rectangle[];
}

/** The packed rectangles of one site; `capacityOf` says how much may be reserved of each slot. */
export function packed(
  rectangles: readonly Rectangle[],
  most: number,
  capacityOf: (of: Rectangle) => Amounts,
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
    if (!fitsBeside(others, joined, capacityOf(joined))) refusedPairs.add(groups[at]);
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

/** Rectangles of one slot with the same span, their amounts added. */
function stacked(rectangles: readonly Rectangle[]): readonly Rectangle[] {
  const bySpan = new Map<string, Rectangle>();
  for (const next of rectangles) {
    const key = `${next.slot ?? ""} ${next.startMs} ${next.endMs}`;
    const below = bySpan.get(key);
    const joined = below && { ...next, ...sumOf(below, next), ...tasksOf(below, next) };
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

function sumOf(one: Rectangle, other: Rectangle) {
  const [a, b] = [amountsOf(one), amountsOf(other)];
  const beside = { memoryBytes: a.memoryBytes + b.memoryBytes, gpus: a.gpus + b.gpus };
  return { procs: a.procs + b.procs, ...besideProcs(beside) };
}

/** From the first start to the last end, with the largest amounts that are used at once inside. */
function join(one: Group, other: Group): Group {
  const inside = [...one.inside, ...other.inside];
  const span = { startMs: Math.min(one.startMs, other.startMs), endMs: Math.max(one.endMs, other.endMs) };
  const peaks = peaksOf(inside);
  const amounts = { procs: peaks.procs, ...besideProcs(peaks) };
  return { ...one, ...span, ...amounts, inside, ...tasksOf(one, other) };
}

function area({ procs, startMs, endMs }: Rectangle): number {
  return procs * (endMs - startMs);
}

/** True if a rectangle is free beside the others of its slot, throughout. */
export function fitsBeside(others: readonly Rectangle[], one: Rectangle, capacity: Amounts): boolean {
  const { slot, startMs, endMs } = one;
  const beside = others.filter((it) => it.slot === slot && it.startMs < endMs && startMs < it.endMs);
  const [own, held] = [amountsOf(one), peaksOf(beside, startMs, endMs)];
  return AMOUNTS.every((name) => own[name] === 0 || held[name] + own[name] <= capacity[name]);
}

const AMOUNTS = ["procs", "memoryBytes", "gpus"] as const;

/** The largest amounts of rectangles at one instant of a span, each by itself. */
function peaksOf(rectangles: readonly Rectangle[], fromMs = 0, toMs = Number.POSITIVE_INFINITY): Amounts {
  const peak = (name: keyof Amounts): number => peakOf(rectangles, (it) => it[name] ?? 0, { fromMs, toMs });
  const hasMore = rectangles.some(({ memoryBytes, gpus }) => memoryBytes !== undefined || gpus !== undefined);
  const beside = hasMore ? { memoryBytes: peak("memoryBytes"), gpus: peak("gpus") } : NOTHING_BESIDE;
  return { procs: peak("procs"), ...beside };
}

const NOTHING_BESIDE = { memoryBytes: 0, gpus: 0 };

function peakOf(
  rectangles: readonly Rectangle[],
  amountOf: (of: Rectangle) => number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  const changes = rectangles.flatMap((it) => [
    { atMs: Math.max(fromMs, it.startMs), by: amountOf(it) },
    { atMs: Math.min(toMs, it.endMs), by: -amountOf(it) },
  ]);
  changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  let now = 0;
  let peak = 0;
  for (const { by } of changes) {
    now += by;
    if (now > peak) peak = now;
  }
  return peak;
}
