/** Functions of time. The time is that of the evaluation context. */
import { dateOfDays, daysOfDate } from "../calendar.ts";
import {
  type AbsTime,
  type AdValue,
  type Attribute,
  type ClassAdValue,
  type Evaluation,
  keyOf,
  type Scalar,
} from "../language.ts";
import { attributeOf, now, rootScope } from "../scope.ts";
import { parseAbsTime, parseRelTime } from "../time-text.ts";
import { absTimeValue, ERROR, integerValue, realValue, relTimeValue, stringValue } from "../values.ts";
import { type Builtins, demanding, eager, strict, stringsOf } from "./builtin.ts";
import { toInteger } from "./types.ts";

const SECONDS_PER_DAY = 86_400;

const fields: readonly (readonly [string, (fields: TimeFields) => number])[] = [
  ["getyear", ({ year }) => year],
  ["getmonth", ({ month }) => month],
  ["getdayofyear", ({ dayOfYear }) => dayOfYear],
  ["getdayofmonth", ({ day }) => day],
  ["getdayofweek", ({ dayOfWeek }) => dayOfWeek],
  ["gethours", ({ hours }) => hours],
  ["getminutes", ({ minutes }) => minutes],
  ["getseconds", ({ seconds }) => seconds],
];

/** `time`, `absTime`, `relTime`, `splitTime`, `formatTime`, `interval`, `getYear` …. */
export const timeFunctions: Builtins = [
  ["time", strict(0, 0, (_, evaluation) => now(evaluation))],
  ["currenttime", strict(0, 0, (_, evaluation) => currentTime(evaluation))],
  ["timezoneoffset", strict(0, 0, (_, { zoneOffsetSeconds }) => relTimeValue(zoneOffsetSeconds))],
  ["daytime", strict(0, 0, (_, evaluation) => dayTime(evaluation))],
  ["abstime", eager(0, 2, toAbsTime)],
  ["reltime", strict(1, 1, ([value]) => toRelTime(value))],
  ["splittime", strict(1, 1, splitTime)],
  ["formattime", demanding(0, 2, formatted)],
  ["interval", demanding(1, 1, ([value]) => interval(value))],
  ["getdays", demanding(1, 1, ([value]) => ofLength(value, (length) => length.days))],
  ...fields.map(
    ([key, field]) =>
      [key, demanding(1, 1, ([value], evaluation) => fieldOf(value, key, field, evaluation))] as const,
  ),
];

function currentTime(evaluation: Evaluation): ClassAdValue {
  const time = now(evaluation);
  return time.kind === "integer" ? absTimeValue(time.value, evaluation.zoneOffsetSeconds) : time;
}

/** Seconds since midnight. */
function dayTime(evaluation: Evaluation): ClassAdValue {
  const time = now(evaluation);
  if (time.kind !== "integer") return time;
  const local = time.value + evaluation.zoneOffsetSeconds;
  return relTimeValue(local - Math.floor(local / SECONDS_PER_DAY) * SECONDS_PER_DAY);
}

function toAbsTime(
  [value, zone]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  if (value === undefined) return currentTime(evaluation);
  const offset = zone === undefined ? evaluation.zoneOffsetSeconds : offsetIn(zone);
  if (offset === undefined) return ERROR;
  switch (value.kind) {
    case "undefined":
    case "absTime":
      return value;
    case "string":
      return (zone === undefined ? parseAbsTime(value.value, offset) : undefined) ?? ERROR;
    case "integer":
    case "real":
      return absTimeValue(Math.trunc(value.value), offset);
    case "relTime":
      return absTimeValue(Math.trunc(value.seconds), offset);
    default:
      return ERROR;
  }
}

/** The seconds east of Greenwich that a number or a length of time means. */
function offsetIn(zone: ClassAdValue): number | undefined {
  const seconds = zone.kind === "integer" || zone.kind === "real" ? zone.value : lengthIn(zone);
  return seconds === undefined || !isZone(seconds) ? undefined : Math.trunc(seconds);
}

function lengthIn(value: ClassAdValue): number | undefined {
  return value.kind === "relTime" ? value.seconds : undefined;
}

function isZone(offsetSeconds: number): boolean {
  return Math.abs(offsetSeconds) < SECONDS_PER_DAY;
}

function toRelTime(value: ClassAdValue): ClassAdValue {
  if (value.kind === "string") return parseRelTime(value.value) ?? ERROR;
  if (value.kind === "relTime") return value;
  if (value.kind === "absTime") return relTimeValue(value.seconds);
  return value.kind === "integer" || value.kind === "real" ? relTimeValue(value.value) : ERROR;
}

/** The parts of an instant in its own zone. */
function fieldsOf({ seconds, offsetSeconds }: AbsTime): TimeFields {
  const local = seconds + offsetSeconds;
  const days = Math.floor(local / SECONDS_PER_DAY);
  const ofDay = local - days * SECONDS_PER_DAY;
  const date = dateOfDays(days);
  const newYear = daysOfDate({ year: date.year, month: 1, day: 1 }) ?? days;
  return {
    ...date,
    dayOfYear: days - newYear,
    // 1 January 1970 was a Thursday.
    dayOfWeek: (((days + 4) % 7) + 7) % 7,
    hours: Math.floor(ofDay / 3_600),
    minutes: Math.floor(ofDay / 60) % 60,
    seconds: ofDay % 60,
    offsetSeconds,
  };
}

interface LengthFields {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** The parts of a length of time; for a negative length all are negative. */
function lengthFields(length: number): LengthFields {
  const size = Math.abs(length);
  const whole = Math.floor(size);
  const sign = length < 0 ? -1 : 1;
  return {
    days: sign * Math.floor(whole / SECONDS_PER_DAY),
    hours: sign * (Math.floor(whole / 3_600) % 24),
    minutes: sign * (Math.floor(whole / 60) % 60),
    // In milliseconds, so that 3784.5 − 3780 is exactly 4.5.
    seconds: (sign * Math.round((size - Math.floor(whole / 60) * 60) * 1_000)) / 1_000,
  };
}

function ofLength(value: ClassAdValue, field: (length: LengthFields) => number): ClassAdValue {
  return value.kind === "relTime" ? integerValue(Math.trunc(field(lengthFields(value.seconds)))) : ERROR;
}

/** A part of an instant in the zone of the evaluation, or of a length of time. */
function fieldOf(
  value: ClassAdValue,
  key: string,
  field: (fields: TimeFields) => number,
  { zoneOffsetSeconds }: Evaluation,
): ClassAdValue {
  if (value.kind === "absTime") {
    return integerValue(field(fieldsOf({ ...value, offsetSeconds: zoneOffsetSeconds })));
  }
  if (value.kind !== "relTime") return ERROR;
  if (key === "gethours") return ofLength(value, ({ hours }) => hours);
  if (key === "getminutes") return ofLength(value, ({ minutes }) => minutes);
  return key === "getseconds" ? ofLength(value, ({ seconds }) => seconds) : ERROR;
}

/** An ad of the parts of a time; of a negative length the first part that is not 0 is negative. */
function splitTime([value]: readonly ClassAdValue[], { zoneOffsetSeconds }: Evaluation): ClassAdValue {
  if (value.kind === "relTime") {
    const size = lengthFields(Math.abs(value.seconds));
    const sizes = [size.days, size.hours, size.minutes, size.seconds];
    const first = value.seconds < 0 ? sizes.findIndex((part, at) => part > 0 || at === 3) : -1;
    const [days, hours, minutes, seconds] = sizes.map((part, at) => (at === first ? -part : part));
    return literalAd([
      ["Type", stringValue("RelativeTime")],
      ["Days", integerValue(days)],
      ["Hours", integerValue(hours)],
      ["Minutes", integerValue(minutes)],
      ["Seconds", realValue(seconds)],
    ]);
  }
  const instant = numberedInstant(value, zoneOffsetSeconds);
  if (instant.kind !== "absTime") return ERROR;
  const parts = fieldsOf(instant);
  return literalAd([
    ["Type", stringValue("AbsoluteTime")],
    ["Year", integerValue(parts.year)],
    ["Month", integerValue(parts.month)],
    ["Day", integerValue(parts.day)],
    ["Hours", integerValue(parts.hours)],
    ["Minutes", integerValue(parts.minutes)],
    ["Seconds", integerValue(parts.seconds)],
    ["Offset", integerValue(parts.offsetSeconds)],
  ]);
}

/** `formatTime(time, format)`: of seconds, an instant, or an ad from `splitTime`. */
function formatted(
  [time, format = stringValue("%c")]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  const said = format.kind === "string" ? stringsOf([format], evaluation)?.[0] : undefined;
  const instant = time === undefined ? currentTime(evaluation) : instantOf(time, evaluation);
  if (said === undefined || instant.kind !== "absTime") return ERROR;
  return stringValue(formatTime(fieldsOf(instant), said));
}

/** An instant, or one from a number of seconds. */
function numberedInstant(time: ClassAdValue, zoneOffsetSeconds: number): ClassAdValue {
  if (time.kind === "absTime") return time;
  const isNumber = time.kind === "integer" || time.kind === "real";
  return isNumber ? absTimeValue(Math.trunc(time.value), zoneOffsetSeconds) : ERROR;
}

/** Of an ad of parts the missing ones are 0, the month January. */
function instantOf(time: ClassAdValue, evaluation: Evaluation): ClassAdValue {
  if (time.kind !== "ad") return numberedInstant(time, evaluation.zoneOffsetSeconds);
  const part = (key: string, otherwise: number): number => {
    const value = attributeOf(key, time.scope, evaluation);
    return value.kind === "integer" ? value.value : otherwise;
  };
  const offset = part("offset", 0);
  const months = part("year", 1900) * 12 + part("month", 1) - 1;
  const first = daysOfDate({ year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1, day: 1 });
  if (first === undefined || !isZone(offset)) return ERROR;
  const ofDay = part("hours", 0) * 3_600 + part("minutes", 0) * 60 + part("seconds", 0);
  return absTimeValue((first + part("day", 0) - 1) * SECONDS_PER_DAY + ofDay - offset, offset);
}

function interval(value: ClassAdValue): ClassAdValue {
  const seconds = toInteger(value);
  return seconds.kind === "integer" ? stringValue(intervalText(seconds.value)) : ERROR;
}

/** An ad with these values, in a scope of its own. */
function literalAd(entries: readonly (readonly [string, Scalar])[]): AdValue {
  const attributes = entries.map(([name, value]): Attribute => {
    const node = { kind: "literal", value } as const;
    const expression = { node, height: 1, size: 1, run: () => value };
    return { name, key: keyOf(name), node, line: 1, column: 1, expression, constant: value };
  });
  const byKey = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  return {
    kind: "ad",
    scope: rootScope({ node: { kind: "record", attributes }, attributes: byKey, namesScopes: false }),
  };
}

/** Parts of an instant in its zone; days of the year and of the week count from 0, Sunday as 0. */
interface TimeFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly dayOfWeek: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly offsetSeconds: number;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

const placeholders: Readonly<Record<string, (fields: TimeFields) => string>> = {
  "%": () => "%",
  a: (it) => WEEKDAYS[it.dayOfWeek].slice(0, 3),
  A: (it) => WEEKDAYS[it.dayOfWeek],
  b: (it) => MONTHS[it.month - 1].slice(0, 3),
  B: (it) => MONTHS[it.month - 1],
  c: (it) => formatTime(it, "%a %b %e %H:%M:%S %Y"),
  C: (it) => padded(Math.floor(it.year / 100)),
  d: (it) => padded(it.day),
  D: (it) => formatTime(it, "%m/%d/%y"),
  e: (it) => String(it.day).padStart(2),
  F: (it) => formatTime(it, "%Y-%m-%d"),
  g: (it) => padded(isoWeek(it).year % 100),
  G: (it) => String(isoWeek(it).year),
  h: (it) => formatTime(it, "%b"),
  H: (it) => padded(it.hours),
  I: (it) => padded(((it.hours + 11) % 12) + 1),
  j: (it) => padded(it.dayOfYear + 1, 3),
  k: (it) => String(it.hours).padStart(2),
  l: (it) => String(((it.hours + 11) % 12) + 1).padStart(2),
  m: (it) => padded(it.month),
  M: (it) => padded(it.minutes),
  n: () => "\n",
  p: (it) => (it.hours < 12 ? "AM" : "PM"),
  P: (it) => (it.hours < 12 ? "am" : "pm"),
  r: (it) => formatTime(it, "%I:%M:%S %p"),
  R: (it) => formatTime(it, "%H:%M"),
  s: (it) => String(secondsOf(it)),
  S: (it) => padded(it.seconds),
  t: () => "\t",
  T: (it) => formatTime(it, "%H:%M:%S"),
  u: (it) => String(((it.dayOfWeek + 6) % 7) + 1),
  U: (it) => padded(Math.floor((it.dayOfYear + 7 - it.dayOfWeek) / 7)),
  V: (it) => padded(isoWeek(it).week),
  w: (it) => String(it.dayOfWeek),
  W: (it) => padded(Math.floor((it.dayOfYear + 7 - ((it.dayOfWeek + 6) % 7)) / 7)),
  x: (it) => formatTime(it, "%m/%d/%y"),
  X: (it) => formatTime(it, "%H:%M:%S"),
  y: (it) => padded(((it.year % 100) + 100) % 100),
  Y: (it) => String(it.year),
  z: (it) => (it.offsetSeconds === 0 ? "+0000" : zoneText(it.offsetSeconds).replace(":", "")),
  Z: (it) => zoneText(it.offsetSeconds),
};

/** The seconds of Unix time. */
function secondsOf({ hours, minutes, seconds, offsetSeconds, ...date }: TimeFields): number {
  return (daysOfDate(date) ?? 0) * SECONDS_PER_DAY + hours * 3_600 + minutes * 60 + seconds - offsetSeconds;
}

/** The week of ISO 8601: weeks begin on Mondays, and the first of a year has its first Thursday. */
function isoWeek(it: TimeFields): { readonly year: number; readonly week: number } {
  const thursday = (daysOfDate(it) ?? 0) + 3 - ((it.dayOfWeek + 6) % 7);
  const { year } = dateOfDays(thursday);
  const newYear = daysOfDate({ year, month: 1, day: 1 }) ?? thursday;
  return { year, week: Math.floor((thursday - newYear) / 7) + 1 };
}

/** A text with its placeholders filled in; other text is unchanged. */
function formatTime(fields: TimeFields, format: string): string {
  return format.replace(/%[EO]?([a-zA-Z%])/g, (written: string, letter: string) => {
    const placeholder = Object.hasOwn(placeholders, letter) ? placeholders[letter] : undefined;
    return placeholder === undefined ? written : placeholder(fields);
  });
}

/** `17+01:02:03`, without leading parts that are 0; the first part shown is not padded. */
function intervalText(seconds: number): string {
  const size = Math.abs(seconds);
  const days = Math.floor(size / 86_400);
  const [hours, minutes, rest] = [Math.floor(size / 3_600) % 24, Math.floor(size / 60) % 60, size % 60];
  const sign = seconds < 0 ? "-" : "";
  if (days > 0) return `${sign}${days}+${padded(hours)}:${padded(minutes)}:${padded(rest)}`;
  if (hours > 0) return `${sign}${hours}:${padded(minutes)}:${padded(rest)}`;
  return minutes > 0 ? `${sign}${minutes}:${padded(rest)}` : `${sign}${rest}`;
}

function zoneText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return "UTC";
  const size = Math.abs(offsetSeconds);
  const minutes = padded(Math.floor((size % 3_600) / 60));
  return `${offsetSeconds < 0 ? "-" : "+"}${padded(Math.floor(size / 3_600))}:${minutes}`;
}

function padded(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}
