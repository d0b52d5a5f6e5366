/**
 * Exact sums of decimals, shared by the parsers of times and sizes.
 *
 * Doubles would make 0.07 of an hour 252,000.00000000003 ms; here 0.07 is 7 hundredths, and the sum is a
 * fraction of two integers. Texts have at most 64 characters, which bounds the integers.
 */

/** Reason why a text is no quantity: what was found and what would be valid, never the whole text. */
export interface QuantityRefusal {
  readonly kind: "notAQuantity" | "negative" | "unitUnknown" | "ambiguous" | "tooFine" | "tooLarge";
  readonly why: string;
  readonly remedy: string;
}

/** A decimal number such as `1.5` (or `1,5` in ISO 8601), and the number of base units in one of it. */
export interface QuantityPart {
  readonly decimal: string;
  readonly unit: number;
}

/** A whole number of base units, and whether a fraction of one remained. */
export interface QuantitySum {
  readonly whole: number;
  readonly hasRest: boolean;
}

/** Length of the longest text that is parsed. */
export const MAX_QUANTITY_CHARACTERS = 64;

/** The exact sum of the parts, cut to whole base units. It may pass 2^53, and is then no safe integer. */
export function sumParts(parts: readonly QuantityPart[]): QuantitySum {
  const digits = parts.map(({ decimal }) => decimal.replace(/[.,]/, ""));
  const decimals = parts.map(({ decimal }) => decimal.split(/[.,]/)[1]?.length ?? 0);
  const scale = 10n ** BigInt(Math.max(0, ...decimals));
  let sum = 0n;
  for (const [index, { unit }] of parts.entries()) {
    sum += (BigInt(digits[index]) * BigInt(unit) * scale) / 10n ** BigInt(decimals[index]);
  }
  return { whole: Number(sum / scale), hasRest: sum % scale !== 0n };
}
