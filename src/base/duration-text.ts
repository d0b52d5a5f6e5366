/**
 * Lengths of time as people write them, to and from exact milliseconds (rule BA-5).
 *
 * Accepted notations: command lines (`1h30m`), clocks and batch systems (`01:30:00`, `2-12:00:00`), ISO 8601
 * (`PT1H30M`), and plain seconds. Refused: `01:30`, which one system reads as minutes and another as hours,
 * and units without a fixed length (`P1M`).
 */
import { assert } from "./assert.ts";
import { type DurationMs, durationMs, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "./quantity.ts";
import {
  MAX_QUANTITY_CHARACTERS,
  type QuantityPart,
  type QuantityRefusal,
  sumParts,
} from "./quantity-text.ts";
import { accepted, type Result, refused } from "./result.ts";

const msPerDay = 24 * MS_PER_HOUR;
const msPerWeek = 7 * msPerDay;
const units = new Map<string, number>([
  ["w", msPerWeek],
  ["d", msPerDay],
  ["h", MS_PER_HOUR],
  ["m", MS_PER_MINUTE],
  ["min", MS_PER_MINUTE],
  ["s", MS_PER_SECOND],
  ["ms", 1],
]);
const forms = "write 1h30m, 01:30:00, 2-12:00:00, PT1H30M, or a number of seconds";

type Parts = Result<readonly QuantityPart[], QuantityRefusal>;

/** Milliseconds in `text`; surrounding blanks are ignored. */
export function parseDuration(text: string): Result<DurationMs, QuantityRefusal> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_QUANTITY_CHARACTERS)
    return refusal("notAQuantity", "it is far too long for a duration");
  if (/^[-−]/.test(trimmed)) return refusal("negative", "a duration is not negative");
  const parts = clockParts(trimmed) ?? isoParts(trimmed) ?? unitParts(trimmed);
  if (!parts.ok) return parts;
  const early = parts.value.slice(0, -1).find(({ decimal }) => /[.,]/.test(decimal));
  if (early !== undefined) return refusal("notAQuantity", "only the last of its numbers may have decimals");
  const { whole, hasRest } = sumParts(parts.value);
  if (hasRest) return refusal("tooFine", "it is finer than a millisecond");
  if (!Number.isSafeInteger(whole))
    return refusal("tooLarge", "it is too long to be counted in milliseconds");
  return accepted(durationMs(whole));
}

/**
 * The shortest exact way to write a length of time in units, largest first: `1h30m`, `2d12h`, `0.25s`.
 *
 * @param ms an integer ≥ 0, finite
 */
export function formatDuration(ms: number): string {
  assert(Number.isSafeInteger(ms) && ms >= 0, "a length of time that is written is finite and not negative");
  let rest = ms;
  let written = "";
  for (const [letter, unit] of [
    ["d", msPerDay],
    ["h", MS_PER_HOUR],
    ["m", MS_PER_MINUTE],
  ] as const) {
    if (rest >= unit) written += `${Math.floor(rest / unit)}${letter}`;
    rest %= unit;
  }
  return rest > 0 || written === "" ? `${written}${rest / MS_PER_SECOND}s` : written;
}

/** Parses `90`, `01:30:00`, `2-12:00:00`, `2-12:00`, `2-12`; undefined for any other notation. */
function clockParts(text: string): Parts | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return accepted([{ decimal: text, unit: MS_PER_SECOND }]);
  const match = /^(?:(\d+)-)?(\d+)(?::(\d\d))?(?::(\d\d(?:\.\d+)?))?$/.exec(text);
  if (match === null) return undefined;
  const [, days, hours, minutes = "0", seconds] = match;
  if (days === undefined && seconds === undefined) {
    return refusal("ambiguous", "two numbers may be hours and minutes, or minutes and seconds");
  }
  if (Number(minutes) >= 60 || Number(seconds ?? 0) >= 60) {
    return refusal("notAQuantity", "minutes and seconds of a clock go up to 59");
  }
  if (days !== undefined && Number(hours) >= 24) {
    return refusal("notAQuantity", "beside days, hours go up to 23");
  }
  return accepted([
    { decimal: days ?? "0", unit: msPerDay },
    { decimal: hours, unit: MS_PER_HOUR },
    { decimal: minutes, unit: MS_PER_MINUTE },
    { decimal: seconds ?? "0", unit: MS_PER_SECOND },
  ]);
}

/** Parses `PT1H30M`, `P2DT12H`, `P1W`; undefined where the text does not begin with P. */
function isoParts(text: string): Parts | undefined {
  if (!text.startsWith("P")) return undefined;
  if (/^P[^T]*[YM]/.test(text)) return refusal("ambiguous", "months and years have no fixed length");
  const number = "(\\d+(?:[.,]\\d+)?)";
  const pattern = `^P(?:${number}W)?(?:${number}D)?(T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`;
  const match = new RegExp(pattern).exec(text);
  if (match === null || /[PT]$/.test(text)) {
    return refusal("notAQuantity", "a time that begins with P is one of ISO 8601, such as P2DT12H");
  }
  const [, weeks, days, , hours, minutes, seconds] = match;
  const said = [
    { decimal: weeks, unit: msPerWeek },
    { decimal: days, unit: msPerDay },
    { decimal: hours, unit: MS_PER_HOUR },
    { decimal: minutes, unit: MS_PER_MINUTE },
    { decimal: seconds, unit: MS_PER_SECOND },
  ];
  return accepted(said.filter(({ decimal }) => decimal !== undefined));
}

/** Parses `1h30m`, `2d 12h`, `1.5h`, `250ms`. */
function unitParts(text: string): Parts {
  const parts: QuantityPart[] = [];
  const part = /(\d+(?:\.\d+)?) *([A-Za-z]*) */y;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return refusal("notAQuantity", "it is not a duration");
    const [, decimal, letters] = match;
    if (letters === "") return refusal("notAQuantity", "one of its numbers has no unit");
    const unit = units.get(letters);
    if (unit === undefined) {
      return refusal("unitUnknown", `the units are ${[...units.keys()].join(", ")}, in small letters`);
    }
    if (parts.some((earlier) => earlier.unit <= unit)) {
      return refusal("notAQuantity", "its units must go from large to small, each once");
    }
    parts.push({ decimal, unit });
  }
  return parts.length > 0 ? accepted(parts) : refusal("notAQuantity", "it is empty");
}

function refusal(kind: QuantityRefusal["kind"], why: string): { ok: false; refusal: QuantityRefusal } {
  return refused({ kind, why, remedy: forms });
}
