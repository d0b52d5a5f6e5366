/** Text of instants and lengths of time: `2027-03-01T08:00:00+01:00`, `1+02:30:00`. */
import { dateOfDays, daysOfDate } from "./calendar.ts";
import type { AbsTime, Scalar } from "./language.ts";
import { absTimeValue, relTimeValue } from "./values.ts";

const SECONDS_PER_DAY = 86_400;

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d))?$/i;
const CLOCK = /^(-?)(?:(\d+)\+)?(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/;
const UNITS = /^(-?)(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+(?:\.\d+)?)s)?$/i;

/**
 * Reads an instant; undefined where the text is none.
 *
 * @param zoneOffsetSeconds the zone where the text has none; undefined where it must have one
 */
export function parseAbsTime(text: string, zoneOffsetSeconds: number | undefined): Scalar | undefined {
  const parts = INSTANT.exec(text.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hours = "0", minutes = "0", seconds = "0", utc, sign, zoneHours, zoneMinutes] =
    parts;
  const days = daysOfDate({ year: Number(year), month: Number(month), day: Number(day) });
  const isClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  const size = Number(zoneHours ?? 0) * 3_600 + Number(zoneMinutes ?? 0) * 60;
  const said = sign === "-" ? -size : size;
  const offset = utc === undefined && sign === undefined ? zoneOffsetSeconds : said + 0;
  if (days === undefined || !isClock || offset === undefined || size >= SECONDS_PER_DAY) return undefined;
  const ofDay = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return absTimeValue(days * SECONDS_PER_DAY + ofDay - offset, offset);
}

/** Reads a length of time, `1+02:30:00.5` or `1d2h30m0.5s`; undefined where the text is none. */
export function parseRelTime(text: string): Scalar | undefined {
  const said = text.trim();
  const parts = CLOCK.exec(said) ?? (/\d/.test(said) ? UNITS.exec(said) : null);
  if (parts === null) return undefined;
  const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0"] = parts;
  const whole = Number(days) * SECONDS_PER_DAY + Number(hours) * 3_600 + Number(minutes) * 60;
  const size = whole + Number(seconds);
  return relTimeValue(sign === "-" ? -size : size);
}

/** An instant as `2027-03-01T08:00:00+01:00`; years from 0 to 9999. */
export function absTimeText({ seconds, offsetSeconds }: AbsTime): string {
  const local = seconds + offsetSeconds;
  const days = Math.floor(local / SECONDS_PER_DAY);
  const { year, month, day } = dateOfDays(days);
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  const size = Math.abs(offsetSeconds);
  const zone = `${padded(Math.floor(size / 3_600), 2)}:${padded(Math.floor((size % 3_600) / 60), 2)}`;
  return `${date}T${clockText(local - days * SECONDS_PER_DAY)}${offsetSeconds < 0 ? "-" : "+"}${zone}`;
}

/** `[-]days+hh:mm:ss.fff`, without leading parts that are 0 and without a fraction of 0. */
export function relTimeText(lengthSeconds: number): string {
  const inMs = Math.round(Math.abs(lengthSeconds) * 1_000);
  const whole = Math.floor(inMs / 1_000);
  const days = Math.floor(whole / SECONDS_PER_DAY);
  const clock = clockText(whole - days * SECONDS_PER_DAY);
  const shown = days > 0 ? `${days}+${clock}` : clock.replace(/^(?:00:){1,2}/, "");
  const fraction = inMs % 1_000 === 0 ? "" : `.${padded(inMs % 1_000, 3)}`;
  return `${lengthSeconds < 0 ? "-" : ""}${shown}${fraction}`;
}

function clockText(ofDay: number): string {
  const minutes = Math.floor(ofDay / 60);
  return [Math.floor(minutes / 60), minutes % 60, ofDay % 60].map((part) => padded(part, 2)).join(":");
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
