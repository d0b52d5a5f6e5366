/** Amounts for sentences: counts, sizes, money, lengths of time, instants. */
import { assert } from "./assert.ts";
import { formatSize } from "./size-text.ts";

/** Count and noun: `1 job`, `2 jobs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A fraction of one in percent: `12.3 %`. */
export function percentText(part: number, decimals = 1): string {
  return `${(100 * part).toFixed(decimals)} %`;
}

/** Parts per million in percent, without the sign, with at most two decimals; empty for null. */
export function ppmPercent(ppm: number | null): string {
  return ppm === null ? "" : String(Number((ppm / 10_000).toFixed(2)));
}

/** An offset from UTC: `UTC`, `+01:00`. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return "UTC";
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  return `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A number of bytes for comparison: exact where that is short, else in tenths, rounded down. */
export function sizeText(bytes: number): string {
  const exact = formatSize(bytes);
  if (exact.length <= 6) return exact;
  const [letter = "", unit = 1] = units.find(([, size]) => bytes >= size) ?? [];
  return `${Math.floor((bytes / unit) * 10) / 10}${letter}`;
}

const units: readonly (readonly [string, number])[] = [
  ["T", 2 ** 40],
  ["G", 2 ** 30],
  ["M", 2 ** 20],
  ["K", 2 ** 10],
];

/** The first items of a list, for a sentence: `a, b and c`, `a, b, c, d, e and 7 more`. */
export function some(items: readonly string[], conjunction = "and"): string {
  const shown = items.length > 6 ? [...items.slice(0, 5), `${items.length - 5} more`] : items;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} ${conjunction} ${shown.at(-1)}`;
}

const PROC_MS_PER_SU = 3_600_000;

/**
 * Money in SU: to hundredths, or to two significant digits where that is less; exact zero is `0 SU`. What is
 * below a ten-thousandth (0.36 s of one processor) is `<0.0001 SU`.
 */
export function suText(procMs: number): string {
  const su = procMs / PROC_MS_PER_SU;
  const size = Math.abs(su);
  if (size > 0 && size < LEAST_SU) return su > 0 ? `<${LEAST_SU} SU` : `>-${LEAST_SU} SU`;
  return `${Number(size < 1 ? su.toPrecision(2) : su.toFixed(2))} SU`;
}

const LEAST_SU = 0.0001;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A length of time in its largest fitting unit: `40 min`, `3.2 h`, `2.5 d`. */
export function roughTimeText(ms: number): string {
  if (ms < MINUTE_MS) return `${tenths(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${tenths(ms / HOUR_MS)} h`;
  return `${tenths(ms / DAY_MS)} d`;
}

/** Seconds in the two largest units, which is what one compares: `12.5s`, `12m30s`, `3h05m`, `2d04h`. */
export function lengthText(sec: number): string {
  if (sec < 60) return `${Number(sec.toFixed(sec < 10 ? 1 : 0))}s`;
  const whole = Math.round(sec);
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3600)];
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return `${days}d${two(hours)}h`;
  return hours > 0 ? `${hours}h${two(minutes)}m` : `${minutes}m${two(whole % 60)}s`;
}

function tenths(value: number): string {
  return String(Math.round(10 * value) / 10);
}

/**
 * An instant in UTC: `2026-11-20T08:30:00Z`, with milliseconds where there are any.
 *
 * Computed here because the core uses no clock and no `Date`: years begin in March, so that the leap day is
 * the last day of a year.
 *
 * @param atMs Unix time, an integer, in the years 0 to 9999
 */
export function utcText(atMs: number): string {
  assert(Number.isSafeInteger(atMs), "an instant is a whole number of milliseconds");
  const days = Math.floor(atMs / DAY_MS);
  const inDayMs = atMs - days * DAY_MS;
  const { year, month, day } = civilDay(days);
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const clock = [inDayMs / HOUR_MS, (inDayMs / MINUTE_MS) % 60, (inDayMs / SECOND_MS) % 60];
  const ms = inDayMs % SECOND_MS;
  const rest = ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`;
  return `${date}T${clock.map((part) => two(Math.floor(part))).join(":")}${rest}Z`;
}

const DAYS_OF_400_YEARS = 146_097;
/** Days from 1 March of the year 0 to 1 January 1970. */
const DAYS_TO_1970 = 719_468;

function civilDay(sinceEpoch: number): {
  readonly year: number;
  readonly month: number;
  readonly day: number;
} {
  const days = sinceEpoch + DAYS_TO_1970;
  const era = Math.floor(days / DAYS_OF_400_YEARS);
  const ofEra = days - era * DAYS_OF_400_YEARS;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - leaps) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** Cut for a message to so many characters, the default 40. */
export function shortened(text: string, characters = 40): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
