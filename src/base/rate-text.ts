/**
 * Transfer rates as people write them, to and from bytes per second (rule BA-5).
 *
 * Rates in bits are 1000-based: `100Mbit/s`, `1Gbit/s`. Rates in bytes are sizes with `/s` behind them:
 * `10MB/s`, `64M/s`. `Mb/s` is refused: its b is read as bits by some and as bytes by others.
 */
import { assert } from "./assert.ts";
import { MAX_QUANTITY_CHARACTERS, type QuantityRefusal, sumParts } from "./quantity-text.ts";
import { accepted, type Result, refused } from "./result.ts";
import { formatSize, parseSize } from "./size-text.ts";

const BITS_PER_BYTE = 8;
const bits = ["", "k", "M", "G", "T"].map((letter, power) => [`${letter}bit`, 1000 ** power] as const);
const forms = "write 1Gbit/s or 100Mbit/s (1000-based), or bytes a second as in 10MB/s";

/** Bytes per second in `text`; a fraction of a byte is rounded up. */
export function parseRate(text: string): Result<number, QuantityRefusal> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_QUANTITY_CHARACTERS)
    return refusal("notAQuantity", "it is far too long for a rate");
  if (/^[-−]/.test(trimmed)) return refusal("negative", "a rate is not negative");
  const match = /^(\d+(?:\.\d+)?) *([A-Za-z]+)\/s$/.exec(trimmed);
  if (match === null) return refusal("notAQuantity", "a rate is a number with a unit a second");
  const [, number, letters] = match;
  const unit = bits.find(([name]) => name === letters)?.[1];
  if (unit === undefined) return bytesASecond(trimmed.slice(0, -"/s".length));
  const { whole, hasRest } = sumParts([{ decimal: number, unit }]);
  const bytes = Math.floor(whole / BITS_PER_BYTE);
  const isMore = hasRest || whole % BITS_PER_BYTE > 0;
  if (!Number.isSafeInteger(whole))
    return refusal("tooLarge", "it is too large to be counted in bits a second");
  return accepted(bytes + (isMore ? 1 : 0));
}

function bytesASecond(size: string): Result<number, QuantityRefusal> {
  const parsed = parseSize(size);
  if (parsed.ok) return parsed;
  const { kind } = parsed.refusal;
  if (kind !== "unitUnknown") return refusal(kind, parsed.refusal.why.replace("size", "rate"));
  return refusal(kind, "the units are bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, and sizes a second, as in MB/s");
}

/**
 * The shortest exact notation of a rate: `1Gbit/s`, `12MB/s`. In bits where both are equally short.
 *
 * @param bytesPerSec an integer ≥ 0
 */
export function formatRate(bytesPerSec: number): string {
  assert(Number.isSafeInteger(bytesPerSec) && bytesPerSec >= 0, "a rate is whole bytes a second");
  const size = formatSize(bytesPerSec);
  const inBytes = /\d$/.test(size) ? `${size}B/s` : `${size}/s`;
  const inBits = bitsOf(bytesPerSec);
  return inBits !== undefined && countOf(inBits) <= countOf(inBytes) ? inBits : inBytes;
}

/**
 * The rate in the largest bit unit that divides it; undefined where the number of bits is no safe integer.
 */
function bitsOf(bytesPerSec: number): string | undefined {
  const all = bytesPerSec * BITS_PER_BYTE;
  if (!Number.isSafeInteger(all)) return undefined;
  const [name, unit] = bits.findLast(([, bitsOfIt]) => all > 0 && all % bitsOfIt === 0) ?? bits[0];
  return `${all / unit}${name}/s`;
}

/** Number of digits in the text. */
function countOf(text: string): number {
  return text.replace(/[^0-9]/g, "").length;
}

function refusal(kind: QuantityRefusal["kind"], why: string): { ok: false; refusal: QuantityRefusal } {
  return refused({ kind, why, remedy: forms });
}
