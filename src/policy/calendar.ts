/**
 * Begin and end of calendar windows, on a clock with a fixed offset from UTC (rule PO-2).
 *
 * Civil dates are computed from the number of the day in eras of 400 years, as in Hinnant's
 * "chrono-compatible low-level date algorithms", so that the core needs no `Date`. Days have 24 hours: clocks
 * with summer time are not supported.
 * Cost: O(1).
 */
import { MS_PER_HOUR } from "../base/index.ts";
import type { CalendarUnit } from "../model/index.ts";

/** First millisecond of a window and of the next one, in ms of Unix time. */
export interface CalendarWindow {
  readonly startMs: number;
  readonly endMs: number;
}

const dayMs = 24 * MS_PER_HOUR;
const daysPerEra = 146_097;
/** Days from 1 March of the year 0, where eras begin, to 1 January 1970. */
const daysToUnix = 719_468;

/** The window of a unit that contains an instant; `offsetMs` is the offset of its clock from UTC. */
export function calendarWindow(unit: CalendarUnit, atMs: number, offsetMs: number): CalendarWindow {
  const localMs = atMs + offsetMs;
  const day = Math.floor(localMs / dayMs);
  switch (unit) {
    case "hour": {
      const startMs = localMs - modulo(localMs, MS_PER_HOUR) - offsetMs;
      return { startMs, endMs: startMs + MS_PER_HOUR };
    }
    case "day":
      return daysFrom(day, 1, offsetMs);
    case "week":
      // Day 0 was a Thursday, the third day after a Monday.
      return daysFrom(day - modulo(day + 3, 7), 7, offsetMs);
    case "month": {
      const { year, month } = monthOf(day);
      const first = firstDayOf(year, month);
      return daysFrom(first, firstDayOf(year, month + 1) - first, offsetMs);
    }
  }
}

function daysFrom(day: number, days: number, offsetMs: number): CalendarWindow {
  return { startMs: day * dayMs - offsetMs, endMs: (day + days) * dayMs - offsetMs };
}

/** The remainder in [0, divisor), also for instants before 1970. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The civil year and month (1 to 12) of a day since 1 January 1970. */
function monthOf(day: number): { readonly year: number; readonly month: number } {
  const shifted = day + daysToUnix;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / (daysPerEra - 1));
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - daysBeforeYear(yearOfEra);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const isNextYear = monthFromMarch >= 10;
  return {
    year: era * 400 + yearOfEra + (isNextYear ? 1 : 0),
    month: isNextYear ? monthFromMarch - 9 : monthFromMarch + 3,
  };
}

/** The first day of a month, counted from 1 January 1970; month 13 is January of the next year. */
function firstDayOf(year: number, month: number): number {
  const isBeforeMarch = month < 3;
  const marchYear = year + (month > 12 ? 1 : 0) - (isBeforeMarch || month > 12 ? 1 : 0);
  const monthFromMarch = modulo(month - 3, 12);
  const era = Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  return era * daysPerEra + daysBeforeYear(marchYear - era * 400) + dayOfYear - daysToUnix;
}

/** Days of an era before one of its years, which begin in March, so that leap days come last. */
function daysBeforeYear(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}
