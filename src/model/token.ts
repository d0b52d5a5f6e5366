/**
 * Who somebody is to the broker, and the tokens by which they say so.
 *
 * The roles are those of spec 80; the scopes are the WLCG names. A token's secret is nowhere but with
 * whoever holds it: the record has its hash.
 */
import type { Role } from "./register.ts";
import type { Scope } from "./right.ts";

/** Who is asking. */
export interface Identity {
  /** The stable id that their jobs carry. */
  readonly owner: string;
  /** The consumer path that their jobs count against. */
  readonly consumer: string;
  readonly role: Role;
  /** The site of a site admin or a sensor. */
  readonly site?: string;
  /** What their token is narrowed to; not narrowed where absent. */
  readonly scopes?: readonly Scope[];
  /** The id of the token that says who they are; absent: the socket does, which its owner alone can open. */
  readonly token?: string;
}

/** A token as the broker keeps it. Times are Unix ms. */
export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the secret, 64 hexadecimal digits. */
  readonly hash: string;
  readonly role: Role;
  /** Who holds it: jobs count against this path, and it is their owner. */
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

/** What a token is good for at an instant; from its expiry on it is expired. */
export function tokenState(token: TokenRecord, nowMs: number): "valid" | "expired" | "revoked" {
  if (token.revokedAtMs !== null) return "revoked";
  return nowMs < token.expiresAtMs ? "valid" : "expired";
}

/** Who the holder of a token is. Tokens of one consumer path share their work, also one after another. */
export function holderOf({ id, consumer, role, site, scopes }: TokenRecord): Identity {
  return { owner: consumer, consumer, role, scopes, token: id, ...(site === null ? {} : { site }) };
}

/** `vo/group/user`: up to eight names without blanks, each of up to 64 characters. */
export function isConsumerPath(text: string): boolean {
  const names = text.split("/");
  return names.length <= 8 && names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$/.test(name));
}

/** Whether a consumer path is, or lies below, another: `cms/higgs` within `cms`, `cms2` not. */
export function isWithin(consumer: string, above: string): boolean {
  return consumer === above || consumer.startsWith(`${above}/`);
}
