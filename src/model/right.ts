/**
 * A right: an action, and its reach for a role. All rights are in the engine's table; a feature adds those of
 * its own roles and actions.
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
      | "archiveLog"
      | "manageWebhooks"
    )
  | ("createToken" | "seeToken" | "revokeToken")
  /** A price, making an offer, seeing a reservation, everything else. */
  | ("quote" | "reserve" | "seeReservation" | "actOnReservation")
  | ("seePolicy" | "changePolicy" | "seeUsage" | "pauseEnforcement" | "undoEnforcement")
  /** How an organisation has its own jobs placed. */
  | ("seeVo" | "changeVo")
  /** Running a simulation in the broker, seeing one, changing or deleting it. */
  | ("simulate" | "seeSimulation" | "changeSimulation");

/** Scopes to which a token may be narrowed, within its role. */
export type Scope = "compute.read" | "compute.create" | "compute.modify" | "compute.cancel";

/** Every scope; a token with all of them is not narrowed. */
export const SCOPES: readonly Scope[] = [
  "compute.read",
  "compute.create",
  "compute.modify",
  "compute.cancel",
];
