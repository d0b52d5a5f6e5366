/** Sessions of the page: sign-in, and what the caller is and may do. */
import { Type } from "typebox";
import { ROLES, SCOPES } from "../model/index.ts";
import { instant, orNull, type Shape, strict } from "./fields.ts";

/** `POST /session` */
export const signInSchema = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: "A token, as it was shown once" }) },
  strict,
);

/** The caller, and what the caller may do. */
export const sessionSchema = Type.Object(
  {
    owner: Type.String({ description: "Owner of the caller's jobs" }),
    consumer: Type.String(),
    role: Type.Enum([...ROLES]),
    site: orNull(Type.String({ description: "The site of a site admin or a sensor" })),
    scopes: Type.Array(Type.Enum([...SCOPES])),
    token: orNull(Type.String({ description: "Id of the token; null at the owner's socket" })),
    expiresAt: orNull(instant),
    may: Type.Array(Type.String(), {
      description: "Actions that the role and the scopes permit, on at least some objects",
    }),
    version: Type.String({ description: "The broker's version" }),
  },
  { ...strict, description: "The caller and the caller's rights" },
);

/** A token to sign in with. */
export type SignInRequest = Shape<typeof signInSchema>;
/** The caller, and what the caller may do. */
export type SessionView = Shape<typeof sessionSchema>;
