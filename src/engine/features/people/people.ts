/**
 * Tokens: made, revoked, and what that does to the state (rule EN-12).
 *
 * All of them stay in memory, also those that opened nothing for years: they are few, and whoever comes
 * with an old one is told that it expired.
 */
import { accepted, assert, refused } from "../../../base/index.ts";
import { isConsumerPath, isOfSite, type StintEvent, type TokenRecord } from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import type { RecordChange } from "../../state/projection.ts";

/** The part of the state that tokens are about. */
export interface TokenState {
  readonly tokens: Map<string, TokenRecord>;
  readonly sites: ReadonlyMap<string, unknown>;
}

export const people = {
  name: "people",
  answers: {
    createToken,
    revokeToken,
    noteDenial: (_, command, nowMs) => accepted([{ ...command, kind: "requestDenied", atMs: nowMs }]),
  },
  applies: {
    tokenCreated: ({ tokens }, event) => [keep(tokens, created(event))],
    tokenRevoked: ({ tokens }, event) => [keep(tokens, revoked(tokens.get(event.token), event.atMs))],
    requestDenied: () => [],
  },
  queries: {
    /**
     * All tokens, valid or not, in order of creation; those of the same millisecond are ordered by id, so
     * that a restart does not change the order.
     */
    tokens: ({ tokens }: TokenState): readonly TokenRecord[] =>
      [...tokens.values()].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)),
    token: ({ tokens }: TokenState, id: string): TokenRecord | undefined => tokens.get(id),
  },
  views: [{ name: "tokens", columns: { consumer: "text", expiresAtMs: "integer" }, isReadWhole: true }],
  rows: {
    token: ({ record }) => {
      const { id: key, consumer, expiresAtMs } = record;
      return { view: "tokens", key, record, columns: { consumer, expiresAtMs } };
    },
  },
  restore: (projection, { tokens = [] }) => {
    for (const token of tokens) projection.tokens.set(token.id, token);
  },
} as const satisfies Feature;

/** Answers the request for a token. */
function createToken(
  { tokens, sites }: TokenState,
  command: CommandOf<"createToken">,
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
function revokeToken({ tokens }: TokenState, { token, by }: CommandOf<"revokeToken">, nowMs: number): Answer {
  const found = tokens.get(token);
  if (found === undefined) return refused({ kind: "unknownToken", token });
  if (found.revokedAtMs !== null) return refused({ kind: "tokenRevoked", token });
  return accepted([{ kind: "tokenRevoked", token, by, atMs: nowMs }]);
}

/**
 * Revokes the tokens of a removed site's admins, so that a later site of the same name grants them nothing.
 */
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

function keep(tokens: Map<string, TokenRecord>, record: TokenRecord): RecordChange {
  tokens.set(record.id, record);
  return { kind: "token", record };
}

function created(event: EventOf<"tokenCreated">): TokenRecord {
  const { kind: _, token, atMs, ...same } = event;
  return { id: token, ...same, createdAtMs: atMs, revokedAtMs: null };
}

function revoked(token: TokenRecord | undefined, atMs: number): TokenRecord {
  assert(token !== undefined, "what is revoked was created");
  return { ...token, revokedAtMs: atMs };
}
