/**
 * The door for tickets: keys, and whether a job is taken under one (rules EN-92, EN-95).
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import {
  type Command,
  isConsumerPath,
  type JobDescription,
  type PresentedTicket,
  type Refusal,
  type StintEvent,
  some,
  type Ticket,
  type TicketHindrance,
  type TicketKeyRecord,
  ticketName,
  voOf,
} from "../../model/index.ts";
import {
  beyondEntitlement,
  heldBy,
  type TicketEntitlement,
  type TicketUse,
  whyAltered,
  whyNotNow,
  whyNotTaken,
  whySpent,
} from "../../policy/index.ts";
import { amountsOf, capacityAt, sharesAt } from "../enforce/enforced-site.ts";
import type { Projection } from "../state.ts";

type Answer = Result<readonly StintEvent[], Refusal>;
type Wish<Kind> = Extract<Command, { kind: Kind }>;
type Submission = Wish<"submit">;

/** Trusts a key. One that was revoked is not trusted again: its owner makes another. */
export function trustTicketKey(
  { tickets: { keys } }: Projection,
  command: Wish<"trustTicketKey">,
  nowMs: number,
): Answer {
  const { key, vo } = command;
  if (keys.has(key)) return refused({ kind: "idInUse", id: key });
  if (!isConsumerPath(vo) || voOf(vo) !== vo) return refused({ kind: "consumerInvalid", consumer: vo });
  return accepted([{ ...command, kind: "ticketKeyTrusted", atMs: nowMs }]);
}

/** Takes the trust back; jobs that were taken under its tickets go on. */
export function revokeTicketKey(
  { tickets: { keys } }: Projection,
  { key, by }: Wish<"revokeTicketKey">,
  nowMs: number,
): Answer {
  const found = keys.get(key);
  if (found === undefined) return refused({ kind: "unknownTicketKey", key });
  if (found.revokedAtMs !== null) return refused({ kind: "ticketKeyRevoked", key });
  return accepted([{ kind: "ticketKeyRevoked", key, by, atMs: nowMs }]);
}

/** Why a job may not be under the ticket that it comes with; undefined where it may, or comes with none. */
export function whyNotUnder(projection: Projection, command: Submission, nowMs: number): Refusal | undefined {
  const { ticket: presented, description } = command;
  if (presented === undefined) return undefined;
  const { ticket, digest } = presented;
  const known = projection.tickets.records.get(ticketName(ticket));
  const use = useOf(projection, command, ticket);
  const why =
    whyNotBeside(description) ??
    whyNotTrusted(projection, presented) ??
    whyNotTaken({ ticket, digest, key: presented.key }, known, use, nowMs) ??
    whyNotEntitled(projection, ticket, nowMs) ??
    whySpent(presented, known, use);
  return why === undefined ? undefined : { kind: "ticketRefused", ticket: ticketName(ticket), why };
}

/** What a job will hold of the ticket that it comes with, as its event says it. */
export function holdOf(projection: Projection, command: Submission) {
  const { ticket } = command;
  if (ticket === undefined) return {};
  return { ticket: { ...ticket, heldMs: heldBy(useOf(projection, command, ticket.ticket)) } };
}

/** Why no job would be taken under a ticket now, whichever it is. */
export function whyNoneUnder(
  projection: Projection,
  presented: PresentedTicket,
  nowMs: number,
): TicketHindrance | undefined {
  const { ticket, digest } = presented;
  const { sites, tickets } = projection;
  const known = tickets.records.get(ticketName(ticket));
  const least = { consumer: ticket.consumer, site: ticket.site, need: 1, limitMs: 1 };
  const here = [...sites.keys()];
  return (
    whyNotTrusted(projection, presented) ??
    (sites.has(ticket.site)
      ? undefined
      : { kind: "wrongSite", site: ticket.site, asked: some(here, "or") }) ??
    whyNotNow(ticket, nowMs) ??
    whyAltered(digest, known) ??
    whyNotEntitled(projection, ticket, nowMs) ??
    whySpent(presented, known, least)
  );
}

/** What is reserved was admitted for itself. */
function whyNotBeside({ reservation, virtual }: JobDescription): TicketHindrance | undefined {
  if (reservation !== undefined) return { kind: "besides", other: "reservation" };
  return virtual === undefined ? undefined : { kind: "besides", other: "virtual" };
}

function whyNotTrusted(
  { tickets: { keys } }: Projection,
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

/** Asked once: what was taken up is kept to. */
function whyNotEntitled(projection: Projection, ticket: Ticket, nowMs: number): TicketHindrance | undefined {
  const { records } = projection.tickets;
  const { vo, resource, site } = ticket;
  if (records.has(ticketName(ticket))) return undefined;
  const others = [...records.values()]
    .map((record) => record.ticket)
    .filter((it) => it.vo === vo && it.resource === resource && it.site === site && it.untilMs > nowMs);
  const excess = beyondEntitlement(ticket, others, entitlementOf(projection, ticket, nowMs));
  return excess === undefined ? undefined : { kind: "beyondEntitlement", ...excess };
}

/** What its VO was given at the site; of a VO that no policy names there it is nothing. */
function entitlementOf(
  projection: Projection,
  { vo, site: name, resource }: Ticket,
  nowMs: number,
): TicketEntitlement {
  const site = projection.sites.get(name);
  const node = sharesAt(projection, name, nowMs)?.nodes.get(resource)?.get(vo);
  if (site === undefined || node === undefined || node.policy === null) return { share: 0, capacity: 0 };
  return { share: node.epochShare, capacity: capacityAt(site)[resource] };
}

function useOf({ sites }: Projection, { description, consumer }: Submission, ticket: Ticket): TicketUse {
  const { site, wallTimeMs } = description;
  const limitMs = wallTimeMs ?? sites.get(ticket.site)?.spec.defaultWallTimeMs ?? 0;
  return { consumer, site: site ?? "any site", need: amountsOf(description)[ticket.resource], limitMs };
}
