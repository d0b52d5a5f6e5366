/**
 * Instants of sacct: Unix seconds, or local time without a zone.
 *
 * A local time is of the stated zone. In the repeated hour the first instant counts that is not before the
 * earlier times of the row, and is counted as ambiguous; a time that no clock shows is malformed.
 */
import { MS_PER_HOUR, MS_PER_SECOND } from "../../base/index.ts";
import { saidText } from "./words.ts";

/** Reads instants of one zone and counts what was not certain. */
export interface InstantReader {
  readonly zone: string;
  /** Unix ms; null where sacct has no instant, undefined for malformed text. */
  read(text: string | undefined, notBeforeMs: number): number | null | undefined;
  /** Local times that were read, and those of them that a clock showed twice. */
  readonly counts: { readonly local: number; readonly ambiguous: number };
}

const DAY_MS = 24 * MS_PER_HOUR;
const QUARTER_MS = MS_PER_HOUR / 4;
const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/** The reader for a zone of the time zone database; undefined where there is none of that name. */
export function instantReader(zone: string): InstantReader | undefined {
  const offsetMs = offsetIn(zone);
  if (offsetMs === undefined) return undefined;
  const counts = { local: 0, ambiguous: 0 };
  return {
    zone,
    counts,
    read(text, notBeforeMs) {
      const said = saidText(text);
      if (said === null || said === "0") return null;
      if (/^\d{1,11}$/.test(said)) return Number(said) * MS_PER_SECOND;
      if (WITH_ZONE.test(said)) return asInstant(Date.parse(said));
      const local = LOCAL.exec(said);
      if (local === null) return undefined;
      const candidates = instantsOf(Date.parse(`${local[1]}T${local[2] ?? "00:00"}Z`), offsetMs);
      counts.local++;
      if (candidates.length > 1) counts.ambiguous++;
      return candidates.find((ms) => ms >= notBeforeMs) ?? candidates.at(-1);
    },
  };
}

function asInstant(ms: number): number | undefined {
  return ms >= 0 ? ms : undefined;
}

/** Earliest first: none in the hour that is left out, two in the one that comes twice. */
function instantsOf(localMs: number, offsetMs: (unixMs: number) => number): readonly number[] {
  if (Number.isNaN(localMs)) return [];
  // Zones change by less than a day, so one of the two offsets around holds.
  const offsets = new Set([offsetMs(localMs - DAY_MS), offsetMs(localMs + DAY_MS)]);
  return [...offsets]
    .map((offset) => localMs - offset)
    .filter((ms) => ms >= 0 && ms + offsetMs(ms) === localMs)
    .sort((one, other) => one - other);
}

/** Asking is slow, so each quarter of an hour is asked for once: zones change at no other moments. */
function offsetIn(timeZone: string): ((unixMs: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch {
    // No zone of that name.
    return undefined;
  }
  const known = new Map<number, number>();
  return (unixMs) => {
    const quarter = Math.floor(unixMs / QUARTER_MS);
    const before = known.get(quarter);
    if (before !== undefined) return before;
    const offset = offsetOf(format.formatToParts(quarter * QUARTER_MS));
    known.set(quarter, offset);
    return offset;
  };
}

/** "GMT-04:00" → -4 h; "GMT" → 0. */
function offsetOf(parts: readonly Intl.DateTimeFormatPart[]): number {
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  const ms = (Number(hours) * 60 + Number(minutes)) * 60 * MS_PER_SECOND;
  return sign === "-" ? -ms : ms;
}
