/**
 * What a right is made of: an action, and how far a role reaches with it. Who may do what is in the engine's
 * table of rights; a feature brings what only its own roles and actions need.
 */
import type { JobVerb } from "./job.ts";

/** To what is one's own, in one's subtree of consumers, at one's site, or to all. */
export type Reach = "own" | "subtree" | "site" | "all";

/** Roles of people; programs have roles that features bring. */
export type PersonRole = "admin" | "siteAdmin" | "operator" | "voAdmin" | "auditor" | "user";

/** Every one of them. */
export const PERSON_ROLES: readonly PersonRole[] = [
  "admin",
  "siteAdmin",
  "operator",
  "voAdmin",
  "auditor",
  "user",
];

/** Actions that the rights of people are about. */
export type CommonAction =
  | JobVerb
  | (
      | "submit"
      | "assess"
      | "seeJob"
      | "seeSite"
      | "changeSite"
      | "seeLog"
      | "seeAccount"
      | "grant"
      | "stopBroker"
    )
  | ("createToken" | "seeToken" | "revokeToken")
  /** A price, making an offer, seeing a reservation, everything else. */
  | ("quote" | "reserve" | "seeReservation" | "actOnReservation")
  | ("seePolicy" | "changePolicy" | "seeUsage" | "pauseEnforcement" | "undoEnforcement")
  /** How an organisation has its own jobs placed. */
  | ("seeVo" | "changeVo");

/** What a token may be narrowed to, below what its role allows. */
export type Scope = "compute.read" | "compute.create" | "compute.modify" | "compute.cancel";

/** Every scope; a token with all of them is not narrowed. */
export const SCOPES: readonly Scope[] = [
  "compute.read",
  "compute.create",
  "compute.modify",
  "compute.cancel",
];
