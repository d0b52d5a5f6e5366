/**
 * Tokens as they are requested, and as the API writes them: never with their hash.
 */
import { Type } from "@fastify/type-provider-typebox";
import { ROLES, SCOPES, type TokenRecord, tokenState } from "../../model/index.ts";
import type { TokenRequest, TokenView } from "../client/types.ts";
import { isoInstant } from "../iso-instant.ts";

/** What a token is requested to be. */
export const tokenRequestSchema = Type.Unsafe<TokenRequest>(
  Type.Object(
    {
      role: Type.Enum([...ROLES]),
      consumer: Type.Optional(
        Type.String({ maxLength: 600, description: "`vo/group/user`; the caller's own where absent" }),
      ),
      site: Type.Optional(
        Type.String({ maxLength: 64, description: "The site of a site admin or a sensor" }),
      ),
      scopes: Type.Optional(
        Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: 4, description: "All where absent" }),
      ),
      label: Type.Optional(
        Type.String({ pattern: "^[^\\p{Cc}]*$", maxLength: 100, description: "What it is for" }),
      ),
      expiresAt: Type.Optional(
        Type.String({
          pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$",
          description: "an instant as in 2026-11-20T08:30:00Z; in 30 days where absent",
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

/** `/tokens/:id` */
export const tokenParameters = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: "The id, or as much of it as is unique" }),
});

/** The record as JSON for people. */
export function tokenView(record: TokenRecord, nowMs: number): TokenView {
  const { id, role, consumer, site, scopes, label, createdBy } = record;
  return {
    id,
    state: tokenState(record, nowMs),
    role,
    consumer,
    site,
    scopes,
    label,
    createdBy,
    createdAt: isoInstant(record.createdAtMs),
    expiresAt: isoInstant(record.expiresAtMs),
    revokedAt: record.revokedAtMs === null ? null : isoInstant(record.revokedAtMs),
  };
}
