/**
 * Checksums of whole sources that survive a restart: adler32, md5 and sha256 whose state can be written down.
 *
 * Node's own hashes cannot be stored half-way, and a stream of days would have to be read again from its
 * beginning to check it. Algorithms: RFC 1950 (adler32), RFC 1321 (md5), FIPS 180-4 (sha256); a property test
 * compares them with Node's. Cost: about 150 MB/s; only sources with a checksum pay it.
 */
import { md5Block, md5Start, sha256Block, sha256Start } from "./digest-rounds.ts";

/** Algorithms of checksums. */
export type DigestKind = "adler32" | "md5" | "sha256";

/** A digest half-way, as it is stored in the position of a stream. */
export interface DigestState {
  readonly kind: DigestKind;
  readonly words: readonly number[];
  /** Bytes not yet mixed in, fewer than 64, in base64; empty for adler32. */
  readonly tail: string;
  readonly bytes: number;
}

const BLOCK = 64;
/** Largest number of bytes whose sums stay exact before they are reduced. */
const ADLER_RUN = 3800;
const ADLER_BASE = 65_521;

const starts: Readonly<Record<DigestKind, readonly number[]>> = {
  adler32: [1, 0],
  md5: md5Start,
  sha256: sha256Start,
};

/** State of a digest of no bytes. */
export function beginDigest(kind: DigestKind): DigestState {
  return { kind, words: starts[kind], tail: "", bytes: 0 };
}

/** Digest after further bytes. */
export function extendDigest(state: DigestState, data: Uint8Array): DigestState {
  const bytes = state.bytes + data.length;
  if (state.kind === "adler32") return { ...state, words: adler(state.words, data), bytes };
  const mix = state.kind === "md5" ? md5Block : sha256Block;
  const words = Uint32Array.from(state.words);
  const tail = Buffer.from(state.tail, "base64");
  let at = 0;
  if (tail.length > 0) {
    at = Math.min(BLOCK - tail.length, data.length);
    const joined = Buffer.concat([tail, data.subarray(0, at)]);
    if (joined.length < BLOCK) return { ...state, tail: joined.toString("base64"), bytes };
    mix(words, joined, 0);
  }
  for (; at + BLOCK <= data.length; at += BLOCK) mix(words, data, at);
  return {
    kind: state.kind,
    words: [...words],
    tail: Buffer.from(data.subarray(at)).toString("base64"),
    bytes,
  };
}

/** Digest in hexadecimal digits of all bytes so far. */
export function endDigest(state: DigestState): string {
  const { kind, words } = state;
  if (kind === "adler32") return hex((words[1] << 16) | words[0]);
  const length = Buffer.alloc(8);
  if (kind === "md5") length.writeBigUInt64LE(BigInt(state.bytes) << 3n);
  else length.writeBigUInt64BE(BigInt(state.bytes) << 3n);
  const zeros = (2 * BLOCK - 9 - (state.bytes % BLOCK)) % BLOCK;
  const ended = extendDigest(state, Buffer.concat([Buffer.of(0x80), Buffer.alloc(zeros), length])).words;
  return ended.map((word) => hex(kind === "md5" ? swapped(word) : word)).join("");
}

function adler(words: readonly number[], data: Uint8Array): readonly number[] {
  let [low, high] = words;
  for (let start = 0; start < data.length; start += ADLER_RUN) {
    const end = Math.min(start + ADLER_RUN, data.length);
    for (let at = start; at < end; at++) {
      low += data[at];
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return [low, high];
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");
const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
