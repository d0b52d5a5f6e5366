/**
 * Clocks at a fixed distance from UTC, and times of their day.
 */
import { echoText } from "../echo-text.ts";
import { type NamedValue, numberOrText, oneText, shown } from "../yaml/index.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** How far a clock is ahead of UTC: `UTC`, `+01:00`. */
export function clockOf(named: NamedValue): number | undefined {
  const written = numberOrText(named, "clock: UTC");
  if (written === undefined) return undefined;
  if (/^(UTC|Z)$/i.test(written.text)) return 0;
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(written.text);
  if (match !== null && Number(match[2]) <= 14) {
    const minutes = Number(match[2]) * 60 + Number(match[3]);
    return (match[1] === "-" ? -minutes : minutes) * MINUTE_MS;
  }
  named.notes.problem(written.at, {
    code: "badClock",
    what: `${shown(named.name)}: ${echoText(written.text)} is no clock`,
    why: "a clock is at a fixed distance from UTC, so that all its days have the same length",
    remedy: "write UTC, or for instance +01:00",
  });
  return undefined;
}

/** A time of the day in ms since its beginning, up to and with `24:00`. */
export function timeOfDay(named: NamedValue, example: string): number | undefined {
  const written = oneText(named, example);
  if (written === undefined) return undefined;
  const match = /^(\d\d):([0-5]\d)$/.exec(written.text);
  const ms = match === null ? undefined : (60 * Number(match[1]) + Number(match[2])) * MINUTE_MS;
  if (ms !== undefined && ms <= DAY_MS) return ms;
  named.notes.problem(written.at, {
    code: "badTimeOfDay",
    what: `${shown(named.name)}: ${echoText(written.text)} is no time of the day`,
    why: "it has hours and minutes, from 00:00 to 24:00",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

/** A time of the day as it is written. */
export function timeOfDayText(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
