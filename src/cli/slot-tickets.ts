/** Tickets of slots, from `--ticket`. */
import type { CoReservationPartRequest, QuoteRequest, TicketCheckView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { Ticket } from "../model/index.ts";
import { ticketAmountText } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";

/** Values of the option: files, lines, or `-`. */
export interface TicketOptions {
  readonly ticket?: readonly string[];
}

/** Collects repeated options. */
export function ticketValues(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/**
 * Line of the only ticket, as a member of a request; empty where none was given. @throws Fault `ticketTwice`,
 * and where it cannot be read
 */
export async function oneTicket(
  { ticket: given = [] }: TicketOptions,
  directory: string,
): Promise<Pick<QuoteRequest, "ticket">> {
  const [only, ...others] = given;
  if (only === undefined) return {};
  if (others.length > 0) throw twoTickets;
  const { readTicketInput } = await import("../formats/ticket/index.ts");
  return { ticket: await readTicketInput(only, directory) };
}

/** Ticket of a job at an instant, which runs at the ticket's site by default. */
export async function ticketAndSite(
  options: TicketOptions & { readonly site?: readonly string[] },
  directory: string,
): Promise<Pick<QuoteRequest, "ticket" | "sites">> {
  const { ticket: line } = await oneTicket(options, directory);
  if (line === undefined) return {};
  const ticket = await contentOf(line);
  return { ticket: line, ...(options.site === undefined ? { sites: [ticket.site] } : {}) };
}

/**
 * Slots, each with the ticket for its site and resource. @throws Fault `ticketUnreadable`, `ticketFitsNone`,
 * `ticketTwice`
 */
export async function withTickets(
  parts: readonly CoReservationPartRequest[],
  { ticket: given = [] }: TicketOptions,
  directory: string,
): Promise<readonly CoReservationPartRequest[]> {
  let placed = parts;
  for (const one of given) {
    const { ticket: line = "" } = await oneTicket({ ticket: [one] }, directory);
    const ticket = await contentOf(line);
    const fitting = placed.filter((part) => isFor(ticket, part));
    if (fitting.length === 0) throw fitsNone(ticket);
    if (fitting.some((part) => part.ticket !== undefined)) throw twoTickets;
    placed = placed.map((part) => (isFor(ticket, part) ? { ...part, ticket: line } : part));
  }
  return placed;
}

/** State of a request's ticket at the broker; null without a ticket. */
export async function ticketLeft(
  { ticket: line }: Pick<QuoteRequest, "ticket">,
  context: CommandContext,
): Promise<TicketCheckView | null> {
  return line === undefined ? null : await (await context.client()).checkTicket(line);
}

/** Remaining amount: `ticket vo0/t1: 1.5 SU of 2 SU are left`; empty where it cannot be read. */
export function ticketLeftText({ ticket, leftSec }: TicketCheckView): string | undefined {
  if (ticket === null || leftSec === null) return undefined;
  const text = (seconds: number): string => ticketAmountText(ticket.resource, Math.round(1000 * seconds));
  return `ticket ${ticket.name}: ${text(leftSec)} of ${text(ticket.amountSec)} are left`;
}

async function contentOf(line: string): Promise<Ticket> {
  const { readTicket } = await import("../formats/ticket/index.ts");
  const read = readTicket(line);
  if (read.ok) return read.value.ticket;
  throw new Fault({
    kind: "badInput",
    code: "ticketUnreadable",
    what: "this is not a ticket",
    why: read.refusal,
    remedy: "copy the whole line, beginning with stint-ticket.v1., and nothing else",
  });
}

function isFor({ site, resource }: Ticket, part: CoReservationPartRequest): boolean {
  if (site !== part.site) return false;
  if (part.resource === undefined) return resource === "cpu" || resource === "memory";
  return resource === (part.resource.kind === "store" ? "storage" : "network");
}

function fitsNone({ vo, id, site, resource }: Ticket): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketFitsNone",
    what: `ticket ${vo}/${id} is for none of the slots`,
    why: `it is for ${resource} at ${site}, and no --at names that`,
    remedy: "leave it out, or add such a slot",
  });
}

const twoTickets = new Fault({
  kind: "badInput",
  code: "ticketTwice",
  what: "two tickets were given for one slot",
  why: "a slot has one ticket, which covers all of it",
  remedy: "leave one of them out",
});
