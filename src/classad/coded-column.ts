/**
 * The values of one name in many ads, with equal values under one code.
 *
 * An expression that depends on one such name alone is evaluated once for each code instead of once for each
 * ad.
 */
import { columnOf } from "./ad-table.ts";
import type { AdTable, ClassAdValue, CodedColumn } from "./language.ts";
import { valueText } from "./unparse.ts";
import { numberOf } from "./values.ts";

/** The codes of the values under a key in a table. */
export function codedColumnOf(table: AdTable, key: string): CodedColumn {
  const known = table.coded.get(key);
  if (known !== undefined) return known;
  const { values } = columnOf(table, key);
  const isThere = table.ads.map((ad) => ad.attributes.has(key));
  const byValue = new Map<string | number, number>();
  const codes = Int32Array.from(values, (value, row) => {
    if (value === undefined) return isThere[row] ? -1 : 0;
    const told = identityOf(value);
    const code = byValue.get(told) ?? byValue.size + 1;
    byValue.set(told, code);
    return code;
  });
  const column: CodedColumn = {
    codes,
    codeCount: byValue.size + 1,
    numbers: Float64Array.from(values, (value) => (value && inexactOf(value)) ?? Number.NaN),
    hasExpressions: codes.includes(-1),
    hasGaps: codes.includes(0),
  };
  table.coded.set(key, column);
  return column;
}

/**
 * A key that is equal for identical values only: integers as numbers, others by canonical text (rule CA-7).
 */
function identityOf(value: ClassAdValue): string | number {
  return value.kind === "integer" && value.exact === undefined ? value.value : valueText(value);
}

/** The number of a value where it is all of it. */
function inexactOf(value: ClassAdValue): number | undefined {
  return value.kind === "integer" && value.exact !== undefined ? undefined : numberOf(value);
}
