/**
 * Tokens in requests: `Authorization: Bearer stint_<id>_<secret>` (RFC 6750). The secret is 256 random bits;
 * the broker stores its hash, and compares hashes in constant time. Only a caller with the right secret
 * learns that a token has expired or was revoked; a wrong secret and an unknown id have the same answer. OIDC
 * will be another `Identify`.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { holderOf, type Identity, type TokenRecord, tokenState } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { randomJobId } from "./job-ids.ts";
import { ProblemError } from "./problem.ts";

/** Failed identification with its reason. */
export interface Unidentified {
  readonly why: "notIdentified" | "tokenWrong" | "tokenExpired" | "tokenRevoked";
  /** Identity of the token, where the secret was right. */
  readonly owner?: string;
}

/** A new token: the part of its holder, and the part that the broker stores. */
export interface MintedToken {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly hash: string;
  /** The whole token, `stint_…`; shown once. */
  readonly token: string;
}

/** Identity of callers without a token, and the clock. */
export interface BearerOptions {
  /** Unix time. */
  readonly nowMs: () => number;
  /** Identity of callers without a token; none where absent. */
  readonly withoutToken?: Identity;
}

const form = /^stint_([a-z2-7]{12})_([A-Za-z0-9_-]{43})$/;
const secretBytes = 32;
/** Hash with which unknown ids are compared; no secret has it. */
const nobodysHash = hashOf("");

/** Makes a token with a random secret. */
export function mintToken(): MintedToken {
  const id = randomJobId();
  const secret = randomBytes(secretBytes).toString("base64url");
  return { id, hash: hashOf(secret), token: `stint_${id}_${secret}` };
}

/** Identifies callers by their tokens. */
export function byToken(brokerApi: BrokerApi, { nowMs, withoutToken }: BearerOptions) {
  return ({ headers }: Pick<FastifyRequest, "headers">): Identity | Unidentified | undefined => {
    const { authorization } = headers;
    if (authorization === undefined) return withoutToken;
    const [scheme = "", token = ""] = authorization.split(/ +/);
    if (scheme.toLowerCase() !== "bearer") return { why: "notIdentified" };
    const record = recordOf(brokerApi, token);
    return record === undefined ? { why: "tokenWrong" } : identityOf(record, nowMs());
  };
}

/** Record of a token whose secret is right, valid or not. */
export function recordOf(brokerApi: BrokerApi, token: string): TokenRecord | undefined {
  const [, id, secret] = form.exec(token) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const record = brokerApi.query("token", id);
  const isRight = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(record?.hash ?? nobodysHash));
  return isRight ? record : undefined;
}

function identityOf(record: TokenRecord, nowMs: number): Identity | Unidentified {
  const state = tokenState(record, nowMs);
  if (state === "valid") return holderOf(record);
  return { why: state === "expired" ? "tokenExpired" : "tokenRevoked", owner: record.consumer };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Problem for an unknown caller. */
export function unidentifiedProblem(why: Unidentified["why"]): ProblemError {
  return new ProblemError({ status: 401, code: why, ...words[why] });
}

const words = {
  notIdentified: {
    what: "authentication is required",
    why: "the request has no token",
    remedy: "send a token (STINT_TOKEN, or the header Authorization: Bearer …), or use the broker's socket",
  },
  tokenWrong: {
    what: "the token was not issued by this broker",
    why: "this broker has no token with this id and secret",
    remedy:
      "check that the whole token was copied and that it belongs to this broker; stint token " +
      "create makes a new one",
  },
  tokenExpired: {
    what: "the token has expired",
    why: "its validity period is over",
    remedy: "request a new one: stint token create",
  },
  tokenRevoked: {
    what: "the token was revoked",
    why: "its holder or an administrator revoked it",
    remedy: "request a new one: stint token create",
  },
} as const;
