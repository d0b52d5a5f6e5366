/**
 * The part of a schedule that somebody may see. What is not theirs loses its name and its owner; where the
 * site hides jobs from other users, sizes and times too: all that is theirs becomes the one sum of what is in
 * use, which is as public as the site's free capacity. A job of the reader's in a reservation that
 * goes into the sum has rows of its own, and the sum is without it.
 */
import type { Bar } from "./bar.ts";

/** Permissions of a reader of the schedule. */
export interface Sight {
  readonly sees: (bar: Bar) => boolean;
  /** True where the site hides jobs from other users. */
  readonly areJobsPrivate: boolean;
}

/** The bars as somebody sees them. */
export function barsSeen(bars: readonly Bar[], { sees, areJobsPrivate }: Sight): readonly Bar[] {
  const seen: Bar[] = [];
  const unseen: Bar[] = [];
  for (const bar of bars) {
    const isOpen = bar.whose === undefined || (!areJobsPrivate && isShownByItsSite(bar));
    (isOpen || sees(bar) ? seen : unseen).push(bar);
  }
  if (!areJobsPrivate) return [...seen, ...unseen.map(nameless)];
  const merged = new Map(unseen.map((bar) => [bar.key, bar]));
  const ownWithin = seen.filter(({ inside }) => inside !== null && merged.has(inside));
  const alone = seen.map((bar) => (ownWithin.includes(bar) ? { ...bar, inside: null } : bar));
  return [
    ...alone,
    ...sumOf(
      unseen,
      ownWithin.flatMap((bar) => within(bar, merged)),
    ),
  ];
}

/** The part of a bar that is in its reservation's time. */
function within(bar: Bar, reservations: ReadonlyMap<string, Bar>): readonly Bar[] {
  const reservation = reservations.get(bar.inside ?? "");
  if (reservation === undefined) return [];
  const startMs = Math.max(bar.startMs, reservation.startMs);
  const endMs = Math.min(bar.endMs, reservation.endMs);
  return startMs < endMs ? [{ ...bar, startMs, endMs, inside: null }] : [];
}

/** A site that does not hide jobs shows them to everybody who has an account there. */
function isShownByItsSite({ facts }: Bar): boolean {
  return facts?.job === undefined && facts?.seen !== undefined;
}

function nameless({ facts: _, ...bar }: Bar): Bar {
  return { ...bar, nodes: [] };
}

/**
 * Processors of bars, from instant to instant; without a place in time, or in a reservation, none.
 *
 * @param except bars in processors of these that are shown by themselves
 */
function sumOf(bars: readonly Bar[], except: readonly Bar[]): readonly Bar[] {
  const changes: (readonly [atMs: number, procs: number])[] = [];
  for (const { startMs, endMs, procs, inside } of bars) {
    if (startMs === Number.POSITIVE_INFINITY || endMs <= startMs || inside !== null) continue;
    changes.push([startMs, procs], [endMs, -procs]);
  }
  for (const { startMs, endMs, procs } of except) changes.push([startMs, -procs], [endMs, procs]);
  changes.sort(([a], [b]) => a - b);
  const sum: Bar[] = [];
  let procs = 0;
  for (const [at, [startMs, change]] of changes.entries()) {
    procs += change;
    const endMs = changes[at + 1]?.[0] ?? startMs;
    if (procs <= 0 || endMs === startMs) continue;
    const known = { procs, startMs, endMs, inside: null, whose: undefined, nodes: [] };
    sum.push({ ...known, key: `?${startMs}`, kind: "others" });
  }
  return sum;
}
