/**
 * Instants for people, in the zone of whoever reads them (`TZ` where it is set). JSON, YAML and CSV have
 * instants in UTC instead.
 */
import { lengthText } from "../base/index.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;
const YEAR_SEC = 365.25 * 86_400;
/** Largest distance at which a weekday names one day only. */
const WEEKDAY_MS = 6 * DAY_MS;
/** Largest distance at which a day and a month name one day only. */
const MONTH_MS = 180 * DAY_MS;

/** An instant to the second, with its zone: `2026-05-31 14:05:09 UTC+2`. */
export function instantText(iso: string): string {
  const at = new Date(iso);
  return `${dateText(at)} ${clockText(at)}:${two(at.getSeconds())} ${zoneText(at)}`;
}

/** Offset of the reader's zone at an instant: `UTC`, `UTC+2`, `UTC-3:30`. */
function zoneText(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${two(size % 60)}`;
  return `UTC${minutes > 0 ? "+" : "-"}${Math.floor(size / 60)}${rest}`;
}

/** An instant and its distance, for tables: `in 2h05m, Tue 14:10`, `3d04h ago, Sat 09:30`. */
export function whenText(iso: string, nowMs: number): string {
  return `${distanceText(iso, nowMs)}, ${nearText(new Date(iso), nowMs)}`;
}

/** An instant to the second and its distance, for details: `2026-05-31 14:05:09 UTC+2 (2h05m ago)`. */
export function datedText(iso: string, nowMs: number): string {
  return `${instantText(iso)} (${distanceText(iso, nowMs)})`;
}

/** {@link whenText}; a dash where there is no instant. */
export function whenOrNone(iso: string | null, nowMs: number): string {
  return iso === null ? "-" : whenText(iso, nowMs);
}

/** Distance of an instant: `in 2h05m`, `12m30s ago`, `3y ago`, `now`. */
export function distanceText(iso: string, nowMs: number): string {
  const sec = Math.round((Date.parse(iso) - nowMs) / 1000);
  if (sec === 0) return "now";
  const size = Math.abs(sec);
  const years = Math.floor(size / YEAR_SEC);
  const length = years < 2 ? lengthText(size) : `${years}y`;
  return sec > 0 ? `in ${length}` : `${length} ago`;
}

function nearText(at: Date, nowMs: number): string {
  const distanceMs = Math.abs(at.getTime() - nowMs);
  if (distanceMs < WEEKDAY_MS) return `${DAYS[at.getDay()]} ${clockText(at)}`;
  if (distanceMs < MONTH_MS) return `${at.getDate()} ${MONTHS[at.getMonth()]} ${clockText(at)}`;
  return dateText(at);
}

/**
 * Sentences of the broker, which knows nobody's zone, with their instants in the zone of whoever reads them.
 * Values in quotes and of options stay, since they are what was or is to be typed.
 *
 * @param nowMs each instant has its distance from this one; absent: none has
 */
export function localTimes(text: string, nowMs?: number): string {
  return text.replace(UTC_INSTANT, (iso) => {
    if (Number.isNaN(Date.parse(iso))) return iso;
    return nowMs === undefined ? instantText(iso) : datedText(iso, nowMs);
  });
}

const UTC_INSTANT = /(?<!["'`=\w]|--[a-z-]+ )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z(?!["'`\w])/g;

function dateText(at: Date): string {
  return [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join("-");
}

function clockText(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
