/** Days of the Gregorian calendar, by arithmetic alone: the core has no clock and no time zone. */

/** A date; months and days count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAYS_PER_ERA = 146_097;
const YEARS_PER_ERA = 400;
/** Days from 1 March of the year 0 to 1 January 1970. */
const DAYS_TO_1970 = 719_468;

/** Days from 1 January 1970 to a date; undefined where the date does not exist. */
export function daysOfDate({ year, month, day }: CalendarDate): number | undefined {
  // In years that begin in March the leap day is last, so that each month begins after a fixed number of
  // days.
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / YEARS_PER_ERA);
  const yearOfEra = marchYear - era * YEARS_PER_ERA;
  const dayOfYear = daysBeforeMonth((month + 9) % 12) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
  const back = dateOfDays(days);
  return back.year === year && back.month === month && back.day === day ? days : undefined;
}

/** The date `days` after 1 January 1970. */
export function dateOfDays(days: number): CalendarDate {
  const fromMarch = days + DAYS_TO_1970;
  const era = Math.floor(fromMarch / DAYS_PER_ERA);
  const dayOfEra = fromMarch - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524);
  const yearOfEra = Math.floor((dayOfEra - leapDays + Math.floor(dayOfEra / (DAYS_PER_ERA - 1))) / 365);
  const yearStart = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearStart;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((marchMonth + 2) % 12) + 1;
  const year = era * YEARS_PER_ERA + yearOfEra + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - daysBeforeMonth(marchMonth) + 1 };
}

/** Days of a year before its n-th month, counted from March as 0. */
function daysBeforeMonth(marchMonth: number): number {
  return Math.floor((153 * marchMonth + 2) / 5);
}
