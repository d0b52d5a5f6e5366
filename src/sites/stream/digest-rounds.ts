/** Compression functions of md5 (RFC 1321) and sha256 (FIPS 180-4), their constants computed as defined. */

const PRIMES = primes(64);
/** The first 32 bits of the fraction of the k-th root of a prime, exactly. */
const rootBits = (prime: number, root: 2n | 3n): number => {
  // The integer root of prime · 2^(32·root) has the wanted 32 bits last: floats lack digits for cube roots.
  const target = BigInt(prime) << (32n * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** root <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
};

/** State of sha256 before the first byte. */
export const sha256Start: readonly number[] = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2n));
const SHA256_CONSTANTS = Uint32Array.from(PRIMES, (prime) => rootBits(prime, 3n));

/** State of md5 before the first byte. */
export const md5Start: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
const MD5_CONSTANTS = Uint32Array.from({ length: 64 }, (_, at) =>
  Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32),
);
const MD5_SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];

const schedule = new Uint32Array(64);

/** Mixes the 64 bytes at `start` into the state. */
export function sha256Block(state: Uint32Array, data: Uint8Array, start: number): void {
  const w = schedule;
  for (let at = 0; at < 16; at++) {
    const from = start + 4 * at;
    w[at] = (data[from] << 24) | (data[from + 1] << 16) | (data[from + 2] << 8) | data[from + 3];
  }
  for (let at = 16; at < 64; at++) {
    const early = w[at - 15];
    const late = w[at - 2];
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    w[at] = w[at - 16] + s0 + w[at - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + SHA256_CONSTANTS[at] + w[at]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at++) state[at] += mixed[at];
}

/** Mixes the 64 bytes at `start` into the state. */
export function md5Block(state: Uint32Array, data: Uint8Array, start: number): void {
  let [a, b, c, d] = state;
  for (let at = 0; at < 64; at++) {
    const round = at >> 4;
    const { mixed, word } = md5Round(round, at, [b, c, d]);
    const from = start + 4 * word;
    const value = data[from] | (data[from + 1] << 8) | (data[from + 2] << 16) | (data[from + 3] << 24);
    const sum = (a + mixed + MD5_CONSTANTS[at] + value) | 0;
    const shift = MD5_SHIFTS[round][at & 3];
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
  }
  const mixed = [a, b, c, d];
  for (let at = 0; at < 4; at++) state[at] += mixed[at];
}

function md5Round(
  round: number,
  at: number,
  [b, c, d]: readonly [number, number, number],
): { readonly mixed: number; readonly word: number } {
  if (round === 0) return { mixed: (b & c) | (~b & d), word: at };
  if (round === 1) return { mixed: (d & b) | (~d & c), word: (5 * at + 1) & 15 };
  if (round === 2) return { mixed: b ^ c ^ d, word: (3 * at + 5) & 15 };
  return { mixed: c ^ (b | ~d), word: (7 * at) & 15 };
}

function primes(howMany: number): number[] {
  const found: number[] = [];
  for (let at = 2; found.length < howMany; at++) if (found.every((prime) => at % prime !== 0)) found.push(at);
  return found;
}
