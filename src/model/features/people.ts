/**
 * Tokens, and requests that were denied.
 */
import type { FeatureModel } from "../feature.ts";
import type { Scope } from "../right.ts";

/** A request that was not allowed. */
interface DeniedRequest {
  /** The identified owner; null for an unidentified caller. */
  readonly who: string | null;
  readonly method: string;
  /** As the server knows it, `/jobs/:id`: nothing that a caller wrote. */
  readonly route: string;
  /** A code: `notAllowed`, `tokenExpired`, … */
  readonly why: string;
  /** Number of denials since the last recorded one, only counted. */
  readonly unrecorded: number;
}

/** A requested token; its id and hash are chosen by the client that made the secret. */
export interface NewTokenOf<Role> {
  readonly token: string;
  /** Of the secret, which is never recorded. */
  readonly hash: string;
  readonly role: Role;
  readonly consumer: string;
  /** Of roles that have one only. */
  readonly site: string | null;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly createdBy: string;
  readonly expiresAtMs: number;
}

/** The types of this feature, of the roles of all features. */
export interface PeopleTypes<Role> {
  readonly command:
    | ({ readonly kind: "createToken" } & NewTokenOf<Role>)
    | { readonly kind: "revokeToken"; readonly token: string; readonly by: string }
    /** Records that somebody was denied something. */
    | ({ readonly kind: "noteDenial" } & DeniedRequest);
  readonly event:
    | ({ readonly kind: "tokenCreated" } & NewTokenOf<Role>)
    /** `why` where nobody asked for this token: its site was removed. */
    | { readonly kind: "tokenRevoked"; readonly token: string; readonly by: string; readonly why?: string }
    | ({ readonly kind: "requestDenied" } & DeniedRequest);
  readonly refusal:
    | { readonly kind: "unknownToken"; readonly token: string }
    | { readonly kind: "tokenRevoked"; readonly token: string }
    | { readonly kind: "expiryPast"; readonly expiresAtMs: number; readonly nowMs: number }
    | { readonly kind: "consumerInvalid"; readonly consumer: string }
    /** A role that has a site, and a token without, or the other way round. */
    | { readonly kind: "siteUnfit"; readonly role: Role; readonly site: string | null };
}

export const people: FeatureModel<PeopleTypes<string>> = {
  events: { tokenCreated: 1, tokenRevoked: 1, requestDenied: 1 },
  refusals: {
    unknownToken: {
      status: 404,
      text: ({ token }) => ({
        what: `there is no token ${token}`,
        why: "no token visible to you has this id",
        remedy: "`stint token list` lists them",
      }),
    },
    tokenRevoked: {
      status: 409,
      text: ({ token }) => ({
        what: `token ${token} cannot be revoked`,
        why: "it has already been revoked",
        remedy: "nothing to do: the token is no longer accepted",
      }),
    },
    expiryPast: {
      status: 422,
      text: () => ({
        what: "the token would never be valid",
        why: "it would expire before it is created",
        remedy: "choose a later expiry, for instance --expires 30d",
      }),
    },
    consumerInvalid: {
      status: 422,
      text: () => ({
        what: "the token's consumer path is not valid",
        why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
        remedy: "write for instance --vo cms/higgs/ann",
      }),
    },
    siteUnfit: {
      status: 422,
      text: ({ site }) => ({
        what: site === null ? "the token has no site" : `the token has the site ${site}`,
        why: "the roles siteAdmin and sensor need a site, and no other role has one",
        remedy: "give a site for the roles siteAdmin and sensor, and none for other roles",
      }),
    },
  },
};
