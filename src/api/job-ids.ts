/**
 * Ids of jobs, reservations and grants: 12 characters of lower-case base32 (RFC 4648), 60 bits.
 *
 * Two random ones meet among a million jobs with a chance of one in two million; then the broker
 * refuses and another is drawn. One that belongs to an idempotency key is derived from it, so that the
 * same request, asked again after whatever went wrong, names the same job: nothing has to be remembered.
 */
import { createHash, randomBytes } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const characters = 12;

/** An id that nobody can guess. */
export function randomJobId(): string {
  return base32(randomBytes(characters));
}

/** The id of the description at `index` of what `owner` submitted under `key`. */
export function derivedJobId(owner: string, key: string, index: number): string {
  return derived(["stint job", owner, key, index]);
}

/** The id of the offer, of several together, or of the grant, that `owner` asked for under `key`. */
export function derivedId(
  kind: "reservation" | "together" | "virtual" | "grant",
  owner: string,
  key: string,
): string {
  return derived([`stint ${kind}`, owner, key]);
}

/** The id of the offer at `index` of several that `owner` asked for together under `key`. */
export function derivedPartId(owner: string, key: string, index: number): string {
  return derived(["stint part", owner, key, index]);
}

/** As JSON the parts cannot run into each other. */
function derived(request: readonly (string | number)[]): string {
  return base32(createHash("sha256").update(JSON.stringify(request)).digest());
}

/** Five bits of each of the first bytes: no digit is likelier than another. */
function base32(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, characters), (byte) => alphabet[byte & 31]).join("");
}
