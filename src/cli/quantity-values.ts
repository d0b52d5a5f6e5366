/**
 * Parsers of option values that are times, sizes, instants, states or pairs, whose errors show a correct
 * value.
 */
import {
  Fault,
  formatDuration,
  parseDuration,
  parseRate,
  parseSize,
  type QuantityRefusal,
  type Result,
} from "../base/index.ts";
import { JOB_STATES, type JobState, readArray, refusalText } from "../model/index.ts";
import { type Choosing, listOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

/** A length of time above zero, in ms: `1h30m`, `01:30:00`, `PT1H30M`. */
export function durationValue(option: string): (text: string) => number {
  return (text) => {
    const ms = lengthOfTime(option, text);
    if (ms > 0) return ms;
    throw wrongValue(option, text, {
      why: "its length must not be zero",
      remedy: `write for instance ${option} 1h30m`,
    });
  };
}

const LONGEST_SLOT_DAYS = 366;

/** Length of a slot in seconds, within the limit of the API. @throws Fault `slotTooLong` */
export function slotSeconds(option: string, ms: number): number {
  const seconds = ms / 1000;
  if (seconds <= LONGEST_SLOT_DAYS * 86_400) return seconds;
  throw new Fault({
    kind: "badInput",
    code: "slotTooLong",
    what: `${option}: ${formatDuration(ms)} is too long`,
    why: `a slot may last at most ${LONGEST_SLOT_DAYS} days`,
    remedy: `write for instance ${option} 30d`,
  });
}

/** A length of time in ms, zero included: `200ms`, `0`. */
export function delayValue(option: string): (text: string) => number {
  return (text) => lengthOfTime(option, text);
}

/** Length in ms; a number without a unit is refused, unless it is zero in every unit. */
function lengthOfTime(option: string, text: string): number {
  const number = text.trim();
  if (/^\d+(\.\d+)?$/.test(number) && Number(number) > 0) {
    throw wrongValue(option, text, {
      why: "a number without a unit is ambiguous: sbatch reads it as minutes, other programs as seconds",
      remedy: `write ${option} ${number}m or ${option} ${number}s`,
    });
  }
  const read = parseDuration(text);
  if (read.ok) return read.value;
  const remedy = `write for instance ${option} 1h30m, 01:30:00, 2-12:00:00 or PT1H30M`;
  throw wrongValue(option, text, { why: read.refusal.why, remedy });
}

/** A fraction from 0 to 1, in parts per million: `0.01`. */
export function millionthsValue(option: string): (text: string) => number {
  return (text) => {
    const [, whole = "", decimals = ""] = /^([01])(?:\.(\d{1,6}))?$/.exec(text) ?? [];
    const millionths = whole === "" ? Number.POSITIVE_INFINITY : Number(whole + decimals.padEnd(6, "0"));
    if (millionths <= 1_000_000) return millionths;
    throw wrongValue(option, text, {
      why: "it must be a fraction from 0 to 1, with up to six decimals",
      remedy: `write for instance ${option} 0.01 for one in a hundred`,
    });
  };
}

/** A size above zero, in bytes: `4G`, `512M`. */
export function sizeValue(option: string): (text: string) => number {
  return (text) => {
    const bytes = understood(option, text, parseSize(text));
    if (bytes > 0) return bytes;
    throw wrongValue(option, text, {
      why: "it is zero",
      remedy: `write for instance ${option} 4G`,
    });
  };
}

/** A rate above zero, in bytes a second: `8MB/s`, `1Gbit/s`. */
export function rateValue(option: string): (text: string) => number {
  return (text) => {
    const bytesPerSec = understood(option, text, parseRate(text));
    if (bytesPerSec > 0) return bytesPerSec;
    throw wrongValue(option, text, { why: "it is zero", remedy: `write for instance ${option} 8MB/s` });
  };
}

/** An instant in Unix ms: a date of ISO 8601, or a length of time before now. */
export function sinceValue(option: string, nowMs: () => number): (text: string) => number {
  return (text) => {
    if (!/^\d{4}-\d\d-\d\d/.test(text)) return nowMs() - durationBesideInstant(option, text, "2d");
    const instantMs = Date.parse(text);
    if (!Number.isNaN(instantMs)) return instantMs;
    throw wrongValue(option, text, {
      why: "there is no such date or time of day",
      remedy: `write for instance ${option} 2d, or ${option} 2026-05-31T14:00:00Z`,
    });
  };
}

/** A time in the past, in Unix ms: a date of ISO 8601, or a length of time before now. */
export function pastInstantValue(option: string, nowMs: () => number): (text: string) => number {
  const since = sinceValue(option, nowMs);
  return (text) => {
    const clock = text.trim().padStart(5, "0");
    if (!/^\d+:\d+(:\d+)?$/.test(clock)) return since(text);
    const isTimeOfDay = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(clock);
    const today = new Date(nowMs()).toISOString().slice(0, 10);
    const example = `${today}T${isTimeOfDay ? clock : "14:00"}`;
    throw wrongValue(option, text, {
      why: isTimeOfDay ? "it is a time of day without a date" : "there is no such time of day",
      remedy: `write for instance ${option} ${example}, or ${option} 2h for two hours ago`,
    });
  };
}

/** A future instant in Unix ms: a date of ISO 8601, or a length of time from now. */
export function instantAheadValue(option: string, nowMs: () => number): (text: string) => number {
  return (text) => {
    if (!/^\d{4}-\d\d-\d\d/.test(text)) return nowMs() + durationBesideInstant(option, text, "6h");
    const instantMs = Date.parse(text);
    if (!Number.isNaN(instantMs)) return instantMs;
    throw wrongValue(option, text, {
      why: "there is no such date or time of day",
      remedy: `write for instance ${option} 6h, or ${option} 2026-05-31T14:00:00Z`,
    });
  };
}

/** Duration in ms of an option that accepts instants, too. */
export function durationBesideInstant(option: string, text: string, example: string): number {
  const read = parseDuration(text);
  const isMeant = read.ok || read.refusal.kind !== "notAQuantity" || /^\s*[P\d][\d.]* *[a-zT]/.test(text);
  if (isMeant) return durationValue(option)(text);
  throw wrongValue(option, text, {
    why: "it is neither a duration nor an instant",
    remedy: `write for instance ${option} ${example}, or ${option} 2026-05-31T14:00:00Z`,
  });
}

/** Collects job states, in any case, comma-separated or repeated. */
export function statesValue(
  option: string,
): ((text: string, before?: readonly JobState[]) => JobState[]) & Choosing {
  return listOf(option, JOB_STATES, "capital");
}

/** Collects repeated tags, `key=value` or a word alone, whose value is empty; the last of a key counts. */
export function tagsValue(
  option: string,
): (text: string, before?: Readonly<Record<string, string>>) => Record<string, string> {
  return (text, before = {}) => {
    const [key = ""] = text.split("=", 1);
    if (key !== "" && !/\p{Cc}/u.test(text)) return { ...before, [key]: text.slice(key.length + 1) };
    throw wrongValue(option, text, {
      why: "a tag is a word, or a word, an equals sign and a value, without control characters",
      remedy: `write for instance ${option} project=snow, or ${option} urgent`,
    });
  };
}

/** Collects environment variables: `NAME=value`, or `NAME` alone for the caller's own value. */
export function environmentValue(
  option: string,
  environment: Readonly<Record<string, string | undefined>>,
): (text: string, before?: Readonly<Record<string, string>>) => Record<string, string> {
  return (text, before = {}) => {
    const [name = ""] = text.split("=", 1);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw wrongValue(option, text, {
        why: "the name of a variable is letters, digits and _, and does not begin with a digit",
        remedy: `write for instance ${option} OMP_NUM_THREADS=4`,
      });
    }
    const value = text.length > name.length ? text.slice(name.length + 1) : environment[name];
    if (value !== undefined) return { ...before, [name]: value };
    throw wrongValue(option, text, {
      why: "your environment has no variable of that name",
      remedy: `set it first, or write ${option} ${name}=value`,
    });
  };
}

/** Indexes of an array of jobs. */
export function arrayValue(option: string): (text: string) => string {
  return (array) => {
    const read = readArray(array);
    if (read.ok) return array;
    throw wrongValue(option, array, refusalText({ kind: "badArray", array, why: read.refusal }));
  };
}

function understood<Value>(option: string, text: string, read: Result<Value, QuantityRefusal>): Value {
  if (read.ok) return read.value;
  throw wrongValue(option, text, read.refusal);
}

function wrongValue(option: string, text: string, words: { why: string; remedy: string }): Fault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `${option}: "${printable(shown)}" was not understood`,
    why: words.why,
    remedy: words.remedy,
  });
}
