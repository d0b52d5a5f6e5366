/** Text of instants and lengths of time: `2027-03-01T08:00:00+01:00`, `1+02:30:00`. */
import { dateOfDays, daysOfDate } from "./calendar.ts";
import type { AbsTime, Scalar } from "./language.ts";
import { absTimeValue, relTimeValue } from "./values.ts";

const SECONDS_PER_DAY = 86_400;

const ZONE = /(?:([zZ])\s*|([+-])(\d\d):?(\d\d))$/;

/**
 * Reads an instant: a year of four digits, then months, days, hours, minutes and seconds of two, each behind
 * anything that is no digit, and a zone. What is missing is 0, fields beyond their range go on in the next
 * (so the day 0 is the last of the month before). Undefined where the text is none.
 *
 * @param zoneOffsetSeconds the zone where the text has none; undefined where it must have one
 */
export function parseAbsTime(text: string, zoneOffsetSeconds: number | undefined): Scalar | undefined {
  const zone = ZONE.exec(text);
  const offset = zone === null ? zoneOffsetSeconds : offsetOf(zone);
  const fields = fieldsOf(zone === null ? text : text.slice(0, zone.index));
  if (fields === undefined || offset === undefined) return undefined;
  const [year, month, day, hours, minutes, seconds] = fields;
  const days = firstOfMonth(year, month) + (day ?? 0) - 1;
  const ofDay = (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return absTimeValue(days * SECONDS_PER_DAY + ofDay - offset, offset);
}

function offsetOf([, utc, sign, hours, minutes]: RegExpExecArray): number {
  if (utc !== undefined) return 0;
  const size = Number(hours) * 3_600 + Number(minutes) * 60;
  return sign === "-" ? -size : size;
}

/** The numbers of an instant, the year first; undefined where there is no year, or a digit too many. */
function fieldsOf(text: string): readonly number[] | undefined {
  const fields: number[] = [];
  let rest = text;
  for (const digits of [4, 2, 2, 2, 2, 2]) {
    rest = rest.replace(/^\D+/, "");
    if (rest.length < digits) break;
    fields.push(Number.parseInt(rest.slice(0, digits), 10));
    rest = rest.slice(digits);
  }
  return fields.length === 0 || /\d/.test(rest) ? undefined : fields;
}

/** Days from 1 January 1970 to the first of a month, which may be beyond its year. */
function firstOfMonth(year: number, month = 1): number {
  const at = year * 12 + month - 1;
  return daysOfDate({ year: Math.floor(at / 12), month: (((at % 12) + 12) % 12) + 1, day: 1 }) ?? 0;
}

/** Characters of the longest text of a length of time: blanks between the parts are tried in turn. */
const LONGEST_LENGTH = 100;
const LENGTH =
  /^(-?)\s*(?:(\d*)\s*[dD+])?\s*(?:(\d*)\s*[hH:])??\s*(?:(\d*)\s*[mM:])?\s*(?:(\d*\.?\d*)\s*[sS]?)$/;

/** Reads a length of time, `1+02:30:00.5` or `1d2h30m0.5s`; undefined where the text is none. */
export function parseRelTime(text: string): Scalar | undefined {
  const parts = text.length > LONGEST_LENGTH ? null : LENGTH.exec(text.trim());
  if (parts === null) return undefined;
  const [, sign, days, hours, minutes, seconds] = parts;
  const whole = numberIn(days) * SECONDS_PER_DAY + numberIn(hours) * 3_600 + numberIn(minutes) * 60;
  const size = whole + numberIn(seconds);
  return relTimeValue(sign === "-" ? -size : size);
}

/** The number of digits; 0 without any. */
function numberIn(digits: string | undefined): number {
  return Number.parseFloat(digits ?? "") || 0;
}

/** An instant as `2027-03-01T08:00:00+01:00`, at Greenwich `-00:00`; years from 0 to 9999. */
export function absTimeText({ seconds, offsetSeconds }: AbsTime): string {
  const local = seconds + offsetSeconds;
  const days = Math.floor(local / SECONDS_PER_DAY);
  const { year, month, day } = dateOfDays(days);
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  const size = Math.abs(offsetSeconds);
  const zone = `${padded(Math.floor(size / 3_600), 2)}:${padded(Math.floor((size % 3_600) / 60), 2)}`;
  return `${date}T${clockText(local - days * SECONDS_PER_DAY)}${offsetSeconds > 0 ? "+" : "-"}${zone}`;
}

/** `[-]days+hh:mm:ss.5`, without leading parts that are 0; seconds with a fraction have no leading 0. */
export function relTimeText(lengthSeconds: number): string {
  const inMs = Math.round(Math.abs(lengthSeconds) * 1_000);
  const whole = Math.floor(inMs / 1_000);
  const days = Math.floor(whole / SECONDS_PER_DAY);
  const clock = clockText(whole - days * SECONDS_PER_DAY);
  const shown = days > 0 ? `${days}+${clock}` : clock.replace(/^(?:00:){1,2}/, "");
  const seconds = (whole % 60) + (inMs % 1_000) / 1_000;
  const exact = inMs % 1_000 === 0 ? shown : `${shown.slice(0, -2)}${Number(seconds.toFixed(3))}`;
  return `${lengthSeconds < 0 ? "-" : ""}${exact}`;
}

function clockText(ofDay: number): string {
  const minutes = Math.floor(ofDay / 60);
  return [Math.floor(minutes / 60), minutes % 60, ofDay % 60].map((part) => padded(part, 2)).join(":");
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
