/**
 * Binomial tails in exact fractions, written from the definition: slow, and right to the last digit.
 *
 * Probabilities are thousandths, so that every number is an integer over 1000^n.
 */

/** Σ_{j ≤ k} C(n, j) q^j (1 − q)^(n − j) × 1000^n, q in thousandths. */
export function plainTail(k: number, n: number, qThousandths: number): bigint {
  const q = BigInt(qThousandths);
  const p = 1000n - q;
  let term = p ** BigInt(n);
  let sum = 0n;
  for (let j = 0; j <= k; j++) {
    if (j > 0) term = (term * BigInt(n - j + 1) * q) / (BigInt(j) * p);
    sum += term;
  }
  return sum;
}

/** The same as a number between 0 and 1, correct to 15 digits. */
export function plainTailFraction(k: number, n: number, qThousandths: number): number {
  const digits = 10n ** 18n;
  return Number((plainTail(k, n, qThousandths) * digits) / 1000n ** BigInt(n)) / 1e18;
}

/** The least k with Σ_{j < k} … ≥ C, or undefined when even k = n is not enough. */
export function plainUpperRank(n: number, qThousandths: number, cThousandths: number): number | undefined {
  const q = BigInt(qThousandths);
  const p = 1000n - q;
  const wanted = BigInt(cThousandths) * 1000n ** BigInt(n);
  let term = p ** BigInt(n);
  let sum = 0n;
  for (let k = 1; k <= n; k++) {
    if (k > 1) term = (term * BigInt(n - k + 2) * q) / (BigInt(k - 1) * p);
    sum += term;
    if (sum * 1000n >= wanted) return k;
  }
  return undefined;
}
