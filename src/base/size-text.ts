/**
 * Amounts of memory and storage as people write them, to and from bytes (rule BA-5).
 *
 * K, M, G, T and P are 1024-based, as in batch systems; kB, MB, GB, TB and PB 1000-based, as disks are sold;
 * KiB … PiB are 1024-based too. `KB` and small letters are refused, since both readings are in use.
 */
import { assert } from "./assert.ts";
import { MAX_QUANTITY_CHARACTERS, type QuantityRefusal, sumParts } from "./quantity-text.ts";
import { accepted, type Result, refused } from "./result.ts";

const binary = ["K", "M", "G", "T", "P"].map((letter, at) => [letter, 1024 ** (at + 1)] as const);
const decimal = ["kB", "MB", "GB", "TB", "PB"].map((letters, at) => [letters, 1000 ** (at + 1)] as const);
const units = new Map<string, number>([
  ["", 1],
  ["B", 1],
  ...binary,
  ...binary.map(([letter, bytes]) => [`${letter}iB`, bytes] as const),
  ...decimal,
]);
const forms = "write 10G or 512M (1024-based), 1.5GB or 200kB (1000-based), or a number of bytes";

/** Bytes in `text`; a fraction of a byte is rounded up, surrounding blanks are ignored. */
export function parseSize(text: string): Result<number, QuantityRefusal> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_QUANTITY_CHARACTERS)
    return refusal("notAQuantity", "it is far too long for a size");
  if (/^[-−]/.test(trimmed)) return refusal("negative", "a size is not negative");
  const match = /^(\d+(?:\.\d+)?) *([A-Za-z]*)$/.exec(trimmed);
  if (match === null) return refusal("notAQuantity", "a size is a number with a unit");
  const [, number, letters] = match;
  const unit = units.get(letters);
  if (unit === undefined) {
    const known = [...binary, ...decimal].map(([name]) => name).join(", ");
    return refusal("unitUnknown", `the units are ${known}, in these letters`);
  }
  const { whole, hasRest } = sumParts([{ decimal: number, unit }]);
  const bytes = whole + (hasRest ? 1 : 0);
  if (!Number.isSafeInteger(bytes)) return refusal("tooLarge", "it is too large to be counted in bytes");
  return accepted(bytes);
}

/**
 * The shortest exact notation of a number of bytes: `10G`, `1536M`, `1500MB`, or the bytes themselves.
 *
 * @param bytes an integer ≥ 0
 */
export function formatSize(bytes: number): string {
  assert(Number.isSafeInteger(bytes) && bytes >= 0, "a size is a whole number of bytes, not negative");
  let shortest = String(bytes);
  if (bytes === 0) return shortest;
  for (const [name, unit] of [...binary, ...decimal]) {
    const written = `${bytes / unit}${name}`;
    if (bytes % unit === 0 && written.length < shortest.length) shortest = written;
  }
  return shortest;
}

function refusal(kind: QuantityRefusal["kind"], why: string): { ok: false; refusal: QuantityRefusal } {
  return refused({ kind, why, remedy: forms });
}
