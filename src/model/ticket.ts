/**
 * Tickets: what a VO promises somebody out of what it was given at a site, signed, so that the site can keep
 * the promise without asking the VO (rules PO-42, PO-44).
 *
 * Amounts are amount·ms of the resource in its unit: of `cpu` processor-milliseconds. Instants
 * are Unix ms.
 */
import { SHARED_RESOURCES, type SharedResource } from "./policy.ts";

/** What a ticket can be for. */
export type TicketResource = SharedResource;

/** All of them. */
export const TICKET_RESOURCES: readonly TicketResource[] = SHARED_RESOURCES;

/**
 * What is counted of each: bytes times ms would be past what is counted exactly. With these a ticket can be
 * for 10 TiB of memory for a week, 2 PiB of storage for a month, 10 Gbit/s for two.
 */
const TICKET_UNITS: Readonly<Record<TicketResource, number>> = {
  cpu: 1,
  gpu: 1,
  memory: 2 ** 20,
  storage: 2 ** 30,
  network: 2 ** 10,
};

/** A need in whole units, rounded up. */
export function ticketNeed(resource: TicketResource, amount: number): number {
  return Math.ceil(amount / TICKET_UNITS[resource]);
}

/** A capacity in whole units, rounded down. */
export function ticketCapacity(resource: TicketResource, amount: number): number {
  return Math.floor(amount / TICKET_UNITS[resource]);
}

/** What a ticket says. */
export interface Ticket {
  /** Chosen by whoever issues it; unique within its VO. */
  readonly id: string;
  readonly vo: string;
  readonly site: string;
  /** The VO itself, or a path below it: whoever is within it may use the ticket. */
  readonly consumer: string;
  readonly resource: TicketResource;
  readonly amountMs: number;
  /** When it may be used: from, and until before. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly issuedAtMs: number;
  /** From then on no job is taken under it. */
  readonly expiresAtMs: number;
}

/** A ticket whose signature was found right. */
export interface PresentedTicket {
  readonly ticket: Ticket;
  /** SHA-256 of its content: what tells it from another of the same name. */
  readonly digest: string;
  /** The id of the key that signed it. */
  readonly key: string;
}

/** What a site keeps of a ticket. */
export interface TicketRecord extends PresentedTicket {
  /** {@link ticketName} */
  readonly name: string;
  readonly presentedAtMs: number;
  /** What the jobs and reservations under it that are not over hold. */
  readonly heldMs: number;
  /** What they have used of it. */
  readonly debitedMs: number;
  /** How many jobs were ever taken under it. */
  readonly jobs: number;
  /** How many reservations; none where absent. */
  readonly reservations?: number;
}

/** The ticket of an offer or a reservation. */
export interface SlotTicket extends PresentedTicket {
  /** What is held of it; 0 of an offer, and once it has left it. */
  readonly heldMs: number;
}

/** What a job keeps of its ticket. */
export interface JobTicket {
  readonly name: string;
  readonly vo: string;
  readonly site: string;
  readonly resource: TicketResource;
  readonly untilMs: number;
  /** What it holds of it; 0 once it has left it. */
  readonly heldMs: number;
}

/** A key whose tickets a broker takes. */
export interface TicketKeyRecord {
  /** Follows from the key. */
  readonly id: string;
  readonly vo: string;
  /** `ed25519:…` */
  readonly publicKey: string;
  readonly label: string;
  readonly trustedBy: string;
  readonly trustedAtMs: number;
  readonly revokedAtMs: number | null;
}

/** Why a ticket is not taken, with the facts. */
export type TicketHindrance =
  | { readonly kind: "unreadable"; readonly detail: string }
  /** No key that is trusted for the VO has signed it; so many are. */
  | { readonly kind: "notSigned"; readonly vo: string; readonly keys: number }
  | { readonly kind: "keyRevoked"; readonly vo: string; readonly key: string }
  | { readonly kind: "besides"; readonly other: "reservation" }
  | { readonly kind: "wrongSite"; readonly site: string; readonly asked: string }
  | { readonly kind: "wrongConsumer"; readonly consumer: string; readonly asked: string }
  | { readonly kind: "resourceNotNeeded"; readonly resource: TicketResource }
  | { readonly kind: "expired"; readonly expiredAtMs: number }
  | { readonly kind: "windowAhead"; readonly fromMs: number }
  | { readonly kind: "windowOver"; readonly untilMs: number }
  /** The job's limit, or the slot, would end after the window. */
  | { readonly kind: "windowShort"; readonly untilMs: number; readonly endMs: number }
  /** Another content under its name was presented before. */
  | { readonly kind: "altered"; readonly knownDigest: string }
  | ({ readonly kind: "beyondEntitlement" } & TicketExcess)
  | {
      readonly kind: "spent";
      readonly resource: TicketResource;
      readonly amountMs: number;
      readonly heldMs: number;
      readonly debitedMs: number;
      readonly neededMs: number;
    };

/** A stretch of time over which a VO has promised more than it was given. */
export interface TicketExcess {
  readonly vo: string;
  readonly resource: TicketResource;
  readonly fromMs: number;
  readonly untilMs: number;
  /** What its epoch share of the capacity is over that time. */
  readonly entitledMs: number;
  /** What other tickets within that time have promised. */
  readonly promisedMs: number;
  readonly amountMs: number;
}

/** The name by which a site knows a ticket. */
export function ticketName({ vo, id }: Pick<Ticket, "vo" | "id">): string {
  return `${vo}/${id}`;
}

/** What is left of a ticket for what is to come. */
export function ticketLeftMs({
  ticket,
  heldMs,
  debitedMs,
}: Pick<TicketRecord, "ticket" | "heldMs" | "debitedMs">): number {
  return ticket.amountMs - heldMs - debitedMs;
}
