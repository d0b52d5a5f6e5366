/**
 * Tokens: made, revoked, and what that does to the state (rule EN-12).
 *
 * All of them stay in memory, also those that opened nothing for years: they are few, and whoever comes
 * with an old one is told that it expired.
 */
import { accepted, assert, type Result, refused } from "../base/index.ts";
import {
  type Command,
  isConsumerPath,
  isOfSite,
  type Refusal,
  type StintEvent,
  type TokenRecord,
} from "../model/index.ts";
/** The part of the state that tokens are about. */
export interface TokenState {
  readonly tokens: Map<string, TokenRecord>;
  readonly sites: ReadonlyMap<string, unknown>;
}

type Answer = Result<readonly StintEvent[], Refusal>;

/** Answers the request for a token. */
export function createToken(
  { tokens, sites }: TokenState,
  command: Extract<Command, { kind: "createToken" }>,
  nowMs: number,
): Answer {
  const { token, role, consumer, site, expiresAtMs } = command;
  if (tokens.has(token)) return refused({ kind: "idInUse", id: token });
  if (!isConsumerPath(consumer)) return refused({ kind: "consumerInvalid", consumer });
  if (isOfSite(role) !== (site !== null)) return refused({ kind: "siteUnfit", role, site });
  if (site !== null && !sites.has(site)) {
    return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  }
  if (expiresAtMs <= nowMs) return refused({ kind: "expiryPast", expiresAtMs, nowMs });
  return accepted([{ ...command, kind: "tokenCreated", atMs: nowMs }]);
}

/** Answers the request to revoke one; an expired one may be revoked too. */
export function revokeToken(
  { tokens }: TokenState,
  { token, by }: Extract<Command, { kind: "revokeToken" }>,
  nowMs: number,
): Answer {
  const found = tokens.get(token);
  if (found === undefined) return refused({ kind: "unknownToken", token });
  if (found.revokedAtMs !== null) return refused({ kind: "tokenRevoked", token });
  return accepted([{ kind: "tokenRevoked", token, by, atMs: nowMs }]);
}

/** What the admins of a site have goes with it, so that a site of its name later gives them nothing. */
export function revokeTokensOf(
  { tokens }: Pick<TokenState, "tokens">,
  site: string,
  by: string,
  nowMs: number,
): readonly StintEvent[] {
  const why = "its site was removed";
  return [...tokens.values()]
    .filter((token) => token.site === site && token.revokedAtMs === null)
    .map(({ id }) => ({ kind: "tokenRevoked", token: id, by, why, atMs: nowMs }));
}

/** Applies what happened to a token; gives its new record. */
export function applyToken(
  { tokens }: TokenState,
  event: Extract<StintEvent, { kind: "tokenCreated" | "tokenRevoked" }>,
): TokenRecord {
  const record =
    event.kind === "tokenCreated" ? created(event) : revoked(tokens.get(event.token), event.atMs);
  tokens.set(record.id, record);
  return record;
}

function created(event: Extract<StintEvent, { kind: "tokenCreated" }>): TokenRecord {
  const { kind: _, token, atMs, ...same } = event;
  return { id: token, ...same, createdAtMs: atMs, revokedAtMs: null };
}

function revoked(token: TokenRecord | undefined, atMs: number): TokenRecord {
  assert(token !== undefined, "what is revoked was created");
  return { ...token, revokedAtMs: atMs };
}
