/**
 * Order of texts and values as in SQLite: text by code points (the order of UTF-8 bytes), null first.
 * JavaScript's own `<` compares UTF-16 units and puts 💧 before U+FB01.
 */
import type { ColumnValue } from "./view-catalog.ts";

/** Negative, zero or positive, for two values of one type or null. */
export function compareValues(a: ColumnValue, b: ColumnValue): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

/** Negative, zero or positive, by code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [unitA, unitB] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

/** First text after all with the prefix; undefined if there is none. */
export function behindPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > 0x10ffff) continue;
    return characters.join("") + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}

/** Sort key of a UTF-16 unit: surrogates stand for characters after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
