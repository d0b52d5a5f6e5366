/**
 * Tokens as they are requested, and as the API writes them: never with their hash.
 */
import { Type } from "typebox";
import { ROLES, SCOPES } from "../model/index.ts";
import { instant, orNull, ref, type Shape, shortId, strict } from "./fields.ts";

/** What a token is requested to be. */
export const tokenRequestSchema = Type.Object(
  {
    role: Type.Enum([...ROLES]),
    consumer: Type.Optional(
      Type.String({ maxLength: 600, description: "`vo/group/user`; the caller's own where absent" }),
    ),
    site: Type.Optional(Type.String({ maxLength: 64, description: "The site of a site admin or a sensor" })),
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
  strict,
);

/** `/tokens/:id` */
export const tokenParameters = Type.Object({ id: shortId });

const tokenFields = {
  id: Type.String(),
  state: Type.Enum(["valid", "expired", "revoked"]),
  role: Type.Enum([...ROLES]),
  consumer: Type.String(),
  site: orNull(Type.String()),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  label: Type.String(),
  createdBy: Type.String({ description: "The owner who made it" }),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: orNull(instant),
};

/** A token, without its secret. */
export const tokenSchema = Type.Object(tokenFields, {
  ...strict,
  description: "A token, without its secret",
});

/** The list of them. */
export const tokenListSchema = Type.Object(
  { items: Type.Array(ref<TokenView>("Token")) },
  { ...strict, description: "Tokens, without their secrets" },
);

/** A new token. */
export const newTokenSchema = Type.Object(
  { ...tokenFields, token: Type.String({ description: "All of it; said this once" }) },
  { ...strict, description: "A new token, with its secret" },
);

/** What a token is requested to be. */
export type TokenRequest = Shape<typeof tokenRequestSchema>;
/** A token, without its secret. */
export type TokenView = Shape<typeof tokenSchema>;
/** A new token: `token` is all of it, and is never said again. */
export type NewTokenView = Shape<typeof newTokenSchema>;
