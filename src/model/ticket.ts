/**
 * Tickets: a VO's signed promise of a part of its share at a site, which the site can keep without asking the
 * VO (rules PO-42, PO-44).
 *
 * Amounts are amount·ms of the resource in its unit: of `cpu` processor-milliseconds. Instants are Unix ms.
 */
import { SHARED_RESOURCES, type SharedResource } from "./policy.ts";

/** Resources of tickets. */
export type TicketResource = SharedResource;

/** All of them. */
export const TICKET_RESOURCES: readonly TicketResource[] = SHARED_RESOURCES;

/**
 * Counting unit of each resource: bytes times ms would exceed exact integers. With these a ticket can be for
 * 10 TiB of memory for a week, 2 PiB of storage for a month, 10 Gbit/s for two.
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

/** Content of a ticket. */
export interface Ticket {
  /** Chosen by the issuer; unique within its VO. */
  readonly id: string;
  readonly vo: string;
  readonly site: string;
  /** The VO itself, or a path below it: every consumer within it may use the ticket. */
  readonly consumer: string;
  readonly resource: TicketResource;
  readonly amountMs: number;
  /** Period of validity, without its end. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly issuedAtMs: number;
  /** From then on no job is taken under it. */
  readonly expiresAtMs: number;
}

/** A ticket whose signature was found right. */
export interface PresentedTicket {
  readonly ticket: Ticket;
  /** SHA-256 of its content, which distinguishes tickets of the same name. */
  readonly digest: string;
  /** The id of the key that signed it. */
  readonly key: string;
}

/** A site's record of a ticket. */
export interface TicketRecord extends PresentedTicket {
  /** {@link ticketName} */
  readonly name: string;
  readonly presentedAtMs: number;
  /** Amount held by unfinished jobs and reservations under it. */
  readonly heldMs: number;
  /** Amount used by them. */
  readonly debitedMs: number;
  /** Number of jobs ever accepted under it. */
  readonly jobs: number;
  /** Number of reservations; absent: none. */
  readonly reservations?: number;
}

/** The ticket of an offer or a reservation. */
export interface SlotTicket extends PresentedTicket {
  /** Amount held; 0 of an offer, and after the ticket is left. */
  readonly heldMs: number;
}

/** A job's record of its ticket. */
export interface JobTicket {
  readonly name: string;
  readonly vo: string;
  readonly site: string;
  readonly resource: TicketResource;
  readonly untilMs: number;
  /** Amount held; 0 after the ticket is left. */
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
  /** The VO's epoch share of the capacity over that time. */
  readonly entitledMs: number;
  /** Amount promised by other tickets within that time. */
  readonly promisedMs: number;
  readonly amountMs: number;
}

/** The name by which a site knows a ticket. */
export function ticketName({ vo, id }: Pick<Ticket, "vo" | "id">): string {
  return `${vo}/${id}`;
}

/** Remaining amount of a ticket. */
export function ticketLeftMs({
  ticket,
  heldMs,
  debitedMs,
}: Pick<TicketRecord, "ticket" | "heldMs" | "debitedMs">): number {
  return ticket.amountMs - heldMs - debitedMs;
}
