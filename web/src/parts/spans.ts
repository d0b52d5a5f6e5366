/** What is at another time, or only on one side, in two schedules. */
import type { ScheduleView } from "../app/client.ts";
import { copiedBar, type GanttBar } from "../gantt/bar.ts";
import { lengthText } from "./format.ts";
import { nameOf } from "./site-bars.ts";

/** A job or reservation of a schedule; without instants it waits without a planned start. */
export interface Span {
  readonly key: string;
  readonly label: string;
  readonly href?: string;
  readonly procs: number;
  readonly from: number | null;
  readonly until: number | null;
}

/** The same in two schedules; absent from one of them: undefined there. */
export interface Difference extends Pick<Span, "key" | "label" | "href" | "procs"> {
  readonly first: Span | undefined;
  readonly other: Span | undefined;
}

/** Smaller differences come of rounding. */
const LEAST_MS = 1000;

/** The spans of a site's schedule, those without a planned start among them. */
export function spansOf({ bars }: ScheduleView): readonly Span[] {
  return bars.flatMap((bar): readonly Span[] => {
    const key = bar.job ?? bar.siteJob ?? bar.reservation;
    if (key === null) return [];
    const instant = (at: string | null) => (at === null ? null : Date.parse(at));
    return [
      {
        ...{ key, label: nameOf(bar), procs: bar.procs, from: instant(bar.from), until: instant(bar.until) },
        ...(bar.job === null ? {} : { href: `/jobs/${bar.job}` }),
      },
    ];
  });
}

/** The spans of bars. */
export function spansOfBars(bars: readonly GanttBar[]): readonly Span[] {
  return bars.map(({ key, label, href, procs, from, until }) => ({
    ...{ key, label, procs, from, until },
    ...(href === undefined ? {} : { href }),
  }));
}

/** All that is in one of two schedules or in both, in the order of the first; a key has its first span. */
export function differencesOf(first: readonly Span[], other: readonly Span[]): readonly Difference[] {
  const [before, now] = [byKey(first), byKey(other)];
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [one, two] = [before.get(key), now.get(key)];
    const known = two ?? one;
    return known === undefined ? [] : [{ ...known, first: one, other: two }];
  });
}

function byKey(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const found = new Map<string, Span>();
  for (const span of spans) if (!found.has(span.key)) found.set(span.key, span);
  return found;
}

/** How much later it starts, or ends, in the other schedule; null where one of them does not say. */
export function laterBy({ first, other }: Difference, edge: "from" | "until"): number | null {
  const [before, now] = [first?.[edge] ?? null, other?.[edge] ?? null];
  return before === null || now === null ? null : now - before;
}

/** True for what starts at another time, or is in one schedule alone. */
export function isMoved(difference: Difference): boolean {
  const by = laterBy(difference, "from");
  if (by !== null) return Math.abs(by) >= LEAST_MS;
  return (difference.first?.from ?? null) !== (difference.other?.from ?? null) || !isInBoth(difference);
}

/** True for what is in both schedules. */
export function isInBoth({ first, other }: Difference): boolean {
  return first !== undefined && other !== undefined;
}

/** "3m05s later", "the same"; a dash where one of the two is not known. */
export function changeText(byMs: number | null): string {
  if (byMs === null) return "–";
  if (Math.abs(byMs) < LEAST_MS) return "the same";
  return `${lengthText(Math.abs(byMs))} ${byMs < 0 ? "earlier" : "later"}`;
}

/** Bars whose notes tell of their differences, too. */
export function withDifferences(
  bars: readonly GanttBar[],
  differences: readonly Difference[],
  names: readonly [first: string, other: string],
): readonly GanttBar[] {
  const found = new Map(differences.map((difference) => [difference.key, difference]));
  return bars.map((bar) => {
    const difference = found.get(bar.key);
    if (difference === undefined) return bar;
    return { ...copiedBar(bar), note: () => [...bar.note(), ...linesOf(difference, names)] };
  });
}

function linesOf(difference: Difference, [first, other]: readonly [string, string]): readonly string[] {
  if (difference.first === undefined) return [`only in: ${other}`];
  if (difference.other === undefined) return [`only in: ${first}`];
  const [starts, ends] = [laterBy(difference, "from"), laterBy(difference, "until")];
  if (starts === null)
    return [`without a planned start in: ${difference.first.from === null ? first : other}`];
  return [`${other}: starts ${comparedText(starts, first)}, ends ${comparedText(ends, first)}`];
}

function comparedText(byMs: number | null, first: string): string {
  const text = changeText(byMs);
  return text === "the same" ? `as in ${first}` : `${text} than ${first}`;
}
