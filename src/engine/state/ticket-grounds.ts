/** General tests of a ticket: its signer, and the entitlement of its VO (rule EN-92). */
import {
  type JobDescription,
  type PresentedTicket,
  type Ticket,
  type TicketHindrance,
  type TicketKeyRecord,
  type TicketResource,
  ticketCapacity,
  ticketName,
  ticketNeed,
} from "../../model/index.ts";
import { beyondEntitlement, type TicketEntitlement } from "../../policy/index.ts";
import { capacityOf } from "./admit-slot.ts";
import { amountsOf, sharesAt, type WithPolicies } from "./enforced-site.ts";
import type { SiteState } from "./site-state.ts";
import type { TicketBook } from "./ticket-book.ts";

/** The part of the state that tickets are judged by. */
export interface TicketState extends WithPolicies {
  readonly tickets: TicketBook;
  readonly sites: ReadonlyMap<string, SiteState>;
}

/** Need of a job for a resource, in ticket units; none for storage and network. */
export function jobNeed(description: JobDescription, resource: TicketResource): number {
  if (resource === "storage" || resource === "network") return 0;
  return ticketNeed(resource, amountsOf(description)[resource]);
}

/** Why no key that is trusted has signed it; undefined where one has. */
export function whyNotTrusted(
  { tickets: { keys } }: Pick<TicketState, "tickets">,
  { ticket: { vo }, key: id }: PresentedTicket,
): TicketHindrance | undefined {
  const key = keys.get(id);
  if (key?.vo === vo) return key.revokedAtMs === null ? undefined : { kind: "keyRevoked", vo, key: id };
  return { kind: "notSigned", vo, keys: trustedFor(keys.values(), vo).length };
}

/** The keys whose signature counts for a VO now. */
export function trustedFor(keys: Iterable<TicketKeyRecord>, vo: string): readonly TicketKeyRecord[] {
  return [...keys].filter((key) => key.vo === vo && key.revokedAtMs === null);
}

/**
 * Reason why the VO's entitlement does not cover a ticket. Tested once: an accepted ticket stays accepted.
 */
export function whyNotEntitled(
  state: TicketState,
  ticket: Ticket,
  nowMs: number,
): TicketHindrance | undefined {
  const { records } = state.tickets;
  const { vo, resource, site } = ticket;
  if (records.has(ticketName(ticket))) return undefined;
  const others = [...records.values()]
    .map((record) => record.ticket)
    .filter((it) => it.vo === vo && it.resource === resource && it.site === site);
  const excess = beyondEntitlement(ticket, others, entitlementOf(state, ticket, nowMs));
  return excess === undefined ? undefined : { kind: "beyondEntitlement", ...excess };
}

/** Entitlement of the ticket's VO at the site; nothing where no policy names the VO. */
function entitlementOf(
  state: TicketState,
  { vo, site: name, resource }: Ticket,
  nowMs: number,
): TicketEntitlement {
  const site = state.sites.get(name);
  const node = sharesAt(state, name, nowMs)?.nodes.get(resource)?.get(vo);
  if (site === undefined || node === undefined || node.policy === null) return { share: 0, capacity: 0 };
  const capacity = ticketCapacity(resource, capacityOf(site.spec, resource));
  return { share: node.epochShare, capacity };
}
