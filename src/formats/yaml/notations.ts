/**
 * Notations of files that are neither a number nor a quantity: what they mean, and how a value is written.
 */
import { offsetText, parseDuration } from "../../base/index.ts";
import type { Notations } from "../../contract/files/index.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const MOST_OFFSET_MS = 899 * MINUTE_MS;
const TARGET_KINDS = { "": "target", "+": "floor", "-": "ceiling" } as const;

const TARGET_SIGNS = { target: "", floor: "+", ceiling: "-" } as const;

/** A notation in both directions; a text of its pattern may still mean nothing. */
interface Notation<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly write: (value: Value) => string;
}

/** Each by its name; texts have the pattern of their shape. */
export const NOTATIONS: { readonly [Name in keyof Notations]: Notation<Notations[Name]> } = {
  clock: {
    read: (text) => {
      if (/^(UTC|Z)$/i.test(text)) return 0;
      const ms = timeOfDayMs(text.slice(1));
      if (ms > MOST_OFFSET_MS) return undefined;
      return text.startsWith("-") ? -ms : ms;
    },
    write: offsetText,
  },
  date: {
    read: (text) => {
      const isDay = !text.includes("T");
      const atMs = Date.parse(text);
      // Some days that are none come out as the first of the next month.
      const isThere = !Number.isNaN(atMs) && (!isDay || new Date(atMs).toISOString().startsWith(text));
      return isThere ? { atMs, isDay } : undefined;
    },
    write: ({ atMs, isDay }) => new Date(atMs).toISOString().slice(0, isDay ? 10 : undefined),
  },
  instant: {
    read: (text) => {
      const unixMs = INSTANT.test(text) ? Date.parse(text) : -1;
      if (unixMs >= 0) return unixMs;
      const length = parseDuration(text);
      return length.ok ? length.value : undefined;
    },
    write: (ms) => new Date(ms).toISOString(),
  },
  timeOfDay: {
    read: (text) => {
      const ms = timeOfDayMs(text);
      return ms <= DAY_MS ? ms : undefined;
    },
    write: (ms) => [ms / (60 * MINUTE_MS), (ms / MINUTE_MS) % 60].map(twoDigits).join(":"),
  },
  target: {
    read: (text) => {
      const sign = /[+-]?$/.exec(text)?.[0] as keyof typeof TARGET_KINDS;
      return { percent: Number.parseFloat(text), kind: TARGET_KINDS[sign] };
    },
    write: ({ percent, kind }) => `${percent}${TARGET_SIGNS[kind]}`,
  },
};

function timeOfDayMs(text: string): number {
  const [hours, minutes] = text.split(":").map(Number);
  return (60 * hours + minutes) * MINUTE_MS;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}
