/** Tokens, without their hashes: requests and responses. */
import { Type } from "typebox";
import { ROLES, SCOPES } from "../model/index.ts";
import { instant, orNull, ref, type Shape, shortId, strict } from "./fields.ts";

/** Request for a token. */
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
      Type.String({ pattern: "^[^\\p{Cc}]*$", maxLength: 100, description: "Note on its purpose" }),
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
  createdBy: Type.String({ description: "The owner who created it" }),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: orNull(instant),
};

/** A token, without its secret. */
export const tokenSchema = Type.Object(tokenFields, {
  ...strict,
  description: "A token, without its secret",
});

/** List of tokens. */
export const tokenListSchema = Type.Object(
  { items: Type.Array(ref<TokenView>("Token")) },
  { ...strict, description: "Tokens, without their secrets" },
);

/** A new token. */
export const newTokenSchema = Type.Object(
  { ...tokenFields, token: Type.String({ description: "The whole token; shown only here" }) },
  { ...strict, description: "A new token, with its secret" },
);

/** Request for a token. */
export type TokenRequest = Shape<typeof tokenRequestSchema>;
/** A token, without its secret. */
export type TokenView = Shape<typeof tokenSchema>;
/** A new token: `token` is the whole token, shown only in this response. */
export type NewTokenView = Shape<typeof newTokenSchema>;
