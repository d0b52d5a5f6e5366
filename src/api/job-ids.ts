/**
 * Ids of jobs, reservations and grants: 12 characters of lower-case base32 (RFC 4648), 60 bits. Two random
 * ones collide among a million jobs with a probability of one in two million; then the broker refuses and
 * another is drawn. An id for an idempotency key is derived from it, so that a repeated request names the
 * same job without any memory.
 */
import { createHash, randomBytes } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const characters = 12;

/** A random id. */
export function randomJobId(): string {
  return base32(randomBytes(characters));
}

/** Id of the description at `index` in the submission of `owner` under `key`. */
export function derivedJobId(owner: string, key: string, index: number): string {
  return derived(["stint job", owner, key, index]);
}

/** Id of the offer, co-reservation, grant or simulation that `owner` requested under `key`. */
export function derivedId(
  kind: "reservation" | "together" | "virtual" | "grant" | "simulation" | "workflow",
  owner: string,
  key: string,
): string {
  return derived([`stint ${kind}`, owner, key]);
}

/** Id of the offer at `index` of a co-reservation that `owner` requested under `key`. */
export function derivedPartId(owner: string, key: string, index: number): string {
  return derived(["stint part", owner, key, index]);
}

/** Parts joined as JSON, which keeps them apart. */
function derived(request: readonly (string | number)[]): string {
  return base32(createHash("sha256").update(JSON.stringify(request)).digest());
}

/** Base32 of five bits of each of the first bytes: all digits are equally likely. */
function base32(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, characters), (byte) => alphabet[byte & 31]).join("");
}
