/**
 * The values of one name in many ads, equal ones under one number.
 *
 * What depends on one such name alone is the same for all ads with the same number: it is evaluated once for
 * each number instead of once for each ad.
 */
import { columnOf } from "./ad-table.ts";
import type { AdTable, ClassAdValue, CodedColumn } from "./language.ts";
import { valueText } from "./unparse.ts";
import { numberOf } from "./values.ts";

/** The numbers of what the ads of a table have written under a key. */
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
    numbers: Float64Array.from(values, (value) => (value && numberOf(value)) ?? Number.NaN),
    hasExpressions: codes.includes(-1),
    hasGaps: codes.includes(0),
  };
  table.coded.set(key, column);
  return column;
}

/** Equal for the very same values alone: integers as numbers, others by their canonical text (CA-7). */
function identityOf(value: ClassAdValue): string | number {
  return value.kind === "integer" ? value.value : valueText(value);
}
