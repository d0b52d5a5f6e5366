/**
 * Hours and weekdays of a trace in its machine's own zone.
 *
 * Source: SWF 2.2 [SWF]: TimeZoneString is a name of the time zone database; TimeZone, which it replaces,
 * is a fixed number of seconds. Asking for the offset is slow, so it is asked once a day, and once per
 * quarter of an hour on days that end with another offset: zones change at no other moments.
 */
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../base/index.ts";
import type { SwfHeader } from "../../formats/index.ts";

const QUARTER_MS = 15 * MS_PER_MINUTE;
const DAY_MS = 24 * MS_PER_HOUR;

/** The hours and weekdays of one zone. */
export interface LocalClock {
  /** Name of the zone. */
  readonly zone: string;
  /** 0 to 23, and 0 for Monday to 6. */
  read(unixMs: number): { readonly hour: number; readonly weekday: number };
}

/** The clock of the header's zone; UTC where it names none that is known. */
export function localClock(header: SwfHeader): LocalClock {
  const name = header.value("TimeZoneString");
  const format = name === undefined ? undefined : formatIn(name);
  if (name !== undefined && format !== undefined) return clock(name, cached(offsetBy(format)));
  const offsetSec = Number(header.value("TimeZone") ?? Number.NaN);
  if (!(Math.abs(offsetSec) <= 86_400)) return clock("UTC", () => 0);
  const hours = offsetSec / 3600;
  return clock(`UTC${hours < 0 ? "" : "+"}${Number(hours.toFixed(2))}`, () => offsetSec * 1000);
}

function clock(zone: string, offsetMsAt: (unixMs: number) => number): LocalClock {
  return {
    zone,
    read(unixMs) {
      const localMs = unixMs + offsetMsAt(unixMs);
      const day = Math.floor(localMs / DAY_MS);
      const hour = Math.floor((localMs - day * DAY_MS) / MS_PER_HOUR);
      // Day 0 of Unix time was a Thursday.
      return { hour, weekday: (((day + 3) % 7) + 7) % 7 };
    },
  };
}

function cached(offsetMsAt: (unixMs: number) => number): (unixMs: number) => number {
  const known = new Map<number, number>();
  const remembered = (unixMs: number): number => {
    const before = known.get(unixMs);
    if (before !== undefined) return before;
    const offsetMs = offsetMsAt(unixMs);
    known.set(unixMs, offsetMs);
    return offsetMs;
  };
  return (unixMs) => {
    const dayMs = Math.floor(unixMs / DAY_MS) * DAY_MS;
    const offsetMs = remembered(dayMs);
    const isEven = offsetMs === remembered(dayMs + DAY_MS);
    return isEven ? offsetMs : remembered(Math.floor(unixMs / QUARTER_MS) * QUARTER_MS);
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch {
    // No zone of that name: some headers have a town or an abbreviation there.
    return undefined;
  }
}

/** "GMT-04:00" → -4 h; "GMT" → 0. */
function offsetBy(format: Intl.DateTimeFormat): (unixMs: number) => number {
  return (unixMs) => {
    const parts = format.formatToParts(unixMs);
    const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0", seconds = "0"] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
    const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === "-" ? -offsetMs : offsetMs;
  };
}
