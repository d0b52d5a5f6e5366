import {
  formatDuration,
  sizeText as textOfBytes,
  lengthText as textOfSeconds,
} from "../../../src/base/index.ts";

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** A length of time in its two largest units: "2h05m", "3d04h", "12s". */
export function lengthText(ms: number): string {
  return textOfSeconds(Math.round(ms / 1000));
}

/** A number with the reader's separators and at most two decimals. */
export function numberText(value: number): string {
  return number.format(value);
}

/** An amount of money in SU. */
export function suText(value: number | null): string {
  return value === null ? "–" : `${number.format(value)} SU`;
}

/** A time limit as it is written in a job, 1h30m. */
export function limitText(sec: number | null): string {
  return sec === null ? "the site's default" : formatDuration(sec * 1000);
}

/** A measured amount of bytes or a rate, to three digits: "392 kB", "1.91 MB". */
export function measuredText(bytes: number): string {
  const power = UNITS.findLastIndex((_, at) => Math.abs(bytes) >= 999.5 * 1000 ** (at - 1));
  return power <= 0
    ? `${Math.round(bytes)} B`
    : `${threeDigits.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];
const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Bytes, as in 1.5G, or 47 B. */
export function sizeText(bytes: number): string {
  const text = textOfBytes(bytes);
  return /\d$/.test(text) ? `${text} B` : text;
}
