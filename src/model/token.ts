/**
 * Identity of a caller, and the tokens that prove it.
 *
 * The roles are those of spec 80; the scopes are the WLCG names. A token's secret is only with its holder:
 * the record has its hash.
 */
import type { Role } from "./register.ts";
import type { Scope } from "./right.ts";

/** Identity of a caller. */
export interface Identity {
  /** The stable id that their jobs carry. */
  readonly owner: string;
  /** The consumer path that their jobs count against. */
  readonly consumer: string;
  readonly role: Role;
  /** The site of a site admin or a sensor. */
  readonly site?: string;
  /** Scopes to which the token is narrowed; absent: not narrowed. */
  readonly scopes?: readonly Scope[];
  /** Id of the token; absent for a caller on the socket, which only its owner can open. */
  readonly token?: string;
}

/** A token as the broker keeps it. Times are Unix ms. */
export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the secret, 64 hexadecimal digits. */
  readonly hash: string;
  readonly role: Role;
  /** Consumer path and owner of the holder's jobs. */
  readonly consumer: string;
  /** The site of a site admin or a sensor; null for every other role. */
  readonly site: string | null;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
}

/** State of a token at an instant; from its expiry on it is expired. */
export function tokenState(token: TokenRecord, nowMs: number): "valid" | "expired" | "revoked" {
  if (token.revokedAtMs !== null) return "revoked";
  return nowMs < token.expiresAtMs ? "valid" : "expired";
}

/** Identity of a token's holder. Tokens of one consumer path share their work, also one after another. */
export function holderOf({ id, consumer, role, site, scopes }: TokenRecord): Identity {
  return { owner: consumer, consumer, role, scopes, token: id, ...(site === null ? {} : { site }) };
}

/** `vo/group/user`: up to eight names without blanks, each of up to 64 characters. */
export function isConsumerPath(text: string): boolean {
  const names = text.split("/");
  return names.length <= 8 && names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$/.test(name));
}

/** True for a consumer path that equals another, or lies below it: `cms/higgs` within `cms`, `cms2` not. */
export function isWithin(consumer: string, above: string): boolean {
  return consumer === above || consumer.startsWith(`${above}/`);
}
