/**
 * Intervals and dates: over which time use is counted, and when a policy holds.
 */
import type { CalendarUnit, EpochWindow } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { durationOf, type NamedValue, oneText, shown, wordOf } from "../yaml/index.ts";

const HOUR_MS = 3_600_000;
const CALENDAR: readonly (readonly [CalendarUnit, number])[] = [
  ["hour", HOUR_MS],
  ["day", 24 * HOUR_MS],
  ["week", 7 * 24 * HOUR_MS],
];
const example = "interval: 1h";
const nothing = {
  why: "an interval is longer than nothing",
  remedy: "write for instance interval: 1h, or 3600s",
};

/** An interval, and how its use is counted: sliding where nothing is said. */
export interface WrittenWindow {
  readonly interval: NamedValue;
  readonly window: NamedValue | undefined;
  readonly offsetMs: number;
}

/** The window; undefined, with a problem, where it is none. */
export function windowOf({ interval, window, offsetMs }: WrittenWindow): EpochWindow | undefined {
  const kind =
    window === undefined ? "sliding" : wordOf(window, ["sliding", "fixed"] as const, "window: sliding");
  const calendar = calendarOf(interval);
  if (kind === undefined) return undefined;
  if (calendar === "month") {
    if (kind === "fixed") return { kind, unit: "month", offsetMs };
    interval.notes.problem(interval.value.at, monthSlides);
    return undefined;
  }
  const unit = CALENDAR.find(([name]) => name === calendar);
  const lengthMs = unit?.[1] ?? intervalOf(interval);
  if (lengthMs === undefined) return undefined;
  if (kind === "sliding") return { kind, lengthMs };
  const fixed = CALENDAR.find(([, ms]) => ms === lengthMs);
  if (fixed !== undefined) return { kind, unit: fixed[0], offsetMs };
  interval.notes.problem(interval.value.at, notOfCalendar(interval));
  return undefined;
}

/** A length of time above 0. */
export function intervalOf(named: NamedValue): number | undefined {
  return durationOf(named, { example, ifZero: nothing });
}

/** The name of a calendar window where one stands there; undefined otherwise. */
function calendarOf({ value }: NamedValue): CalendarUnit | undefined {
  const text = value.kind === "scalar" ? value.text.trim().toLowerCase() : "";
  return (["hour", "day", "week", "month"] as const).find((unit) => unit === text);
}

/** An instant as a date, with time and zone if wanted; undefined, with a problem, where it is none. */
export function dateOf(named: NamedValue, offsetMs: number): number | undefined {
  const written = oneText(named, "from: 2026-01-01");
  if (written === undefined) return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(written.text);
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(written.text);
  const atMs = isDay || isInstant ? Date.parse(written.text) : Number.NaN;
  // Some days that are none come out as the first of the next month.
  const isThere = !isDay || (!Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(written.text));
  if (!Number.isNaN(atMs) && isThere) return isDay ? atMs - offsetMs : atMs;
  named.notes.problem(written.at, {
    code: "badDate",
    what: `${shown(named.name)}: ${echoText(written.text)} is no date`,
    why: isDay || isInstant ? "there is no such day or time" : "it is a day, or a time with its zone",
    remedy: "write for instance 2026-01-01, or 2026-01-01T12:00Z",
  });
  return undefined;
}

function notOfCalendar({ name, value }: NamedValue) {
  return {
    code: "intervalNotOfCalendar",
    what: `${shown(name)}: no calendar window is so long`,
    why: "fixed windows are the hours, days, weeks and months of the calendar",
    remedy: `write hour, day, week or month${value.kind === "scalar" ? ", or window: sliding" : ""}`,
  };
}

const monthSlides = {
  code: "monthSlides",
  what: "a month has no fixed length",
  why: "a sliding window has the same length at any time",
  remedy: "write 30d, or add window: fixed for the months of the calendar",
};
