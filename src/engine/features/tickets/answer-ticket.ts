/**
 * Answers about tickets: keys, and whether a job is taken under one (rule EN-92).
 */
import { accepted, type Result, refused, some } from "../../../base/index.ts";
import {
  type Command,
  isConsumerPath,
  type JobDescription,
  type PresentedTicket,
  type Refusal,
  type StintEvent,
  type Ticket,
  type TicketHindrance,
  ticketName,
  voOf,
} from "../../../model/index.ts";
import {
  heldBy,
  type TicketUse,
  whyAltered,
  whyNotNow,
  whyNotTaken,
  whySpent,
} from "../../../policy/index.ts";
import type { Projection } from "../../state/projection.ts";
import { jobNeed, whyNotEntitled, whyNotTrusted } from "../../state/ticket-grounds.ts";

type Answer = Result<readonly StintEvent[], Refusal>;
type CommandOf<Kind> = Extract<Command, { kind: Kind }>;
type Submission = CommandOf<"submit">;

/** Trusts a key. One that was revoked is not trusted again: its owner makes another. */
export function trustTicketKey(
  { tickets: { keys } }: Projection,
  command: CommandOf<"trustTicketKey">,
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
  { key, by }: CommandOf<"revokeTicketKey">,
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

/** Amount of its ticket that a submitted job will hold, as recorded in its event. */
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

/** Hindrance where a job has both a ticket and a reservation: a reservation is admitted by itself. */
function whyNotBeside({ reservation }: JobDescription): TicketHindrance | undefined {
  return reservation === undefined ? undefined : { kind: "besides", other: "reservation" };
}

function useOf({ sites }: Projection, { description, consumer }: Submission, ticket: Ticket): TicketUse {
  const { site = "any site", wallTimeMs, virtual } = description;
  const limitMs = wallTimeMs ?? sites.get(ticket.site)?.spec.defaultWallTimeMs ?? 0;
  const need = jobNeed(description, ticket.resource);
  return { consumer, site, need, limitMs, ...(virtual === undefined ? {} : { fromMs: virtual.submitMs }) };
}
