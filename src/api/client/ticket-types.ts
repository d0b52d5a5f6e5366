/**
 * Tickets and the keys that sign them, as the API writes them.
 */
import type { TicketResource } from "../../model/index.ts";

/** What a ticket says. Instants are ISO 8601; amounts the resource times seconds. */
export interface TicketFacts {
  /** `vo/id` */
  readonly name: string;
  readonly vo: string;
  readonly site: string;
  readonly consumer: string;
  readonly resource: TicketResource;
  readonly amountSec: number;
  readonly window: { readonly from: string; readonly until: string };
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** A ticket under which jobs or reservations were taken, and what is left of it. */
export interface TicketView extends TicketFacts {
  readonly key: string;
  readonly presentedAt: string;
  readonly jobs: number;
  readonly reservations: number;
  readonly heldSec: number;
  readonly debitedSec: number;
  readonly leftSec: number;
}

/** Whether a ticket would be taken now. */
export interface TicketCheckView {
  readonly isTaken: boolean;
  readonly why: { readonly kind: string; readonly text: string; readonly remedy: string } | null;
  readonly ticket: TicketFacts | null;
  readonly leftSec: number | null;
}

/** A key whose tickets are taken for a VO. */
export interface TicketKeyView {
  readonly id: string;
  readonly vo: string;
  readonly publicKey: string;
  readonly label: string;
  readonly trustedBy: string;
  readonly trustedAt: string;
  readonly revokedAt: string | null;
}

/** What can be asked about tickets. */
export interface TicketCalls {
  /** Those whose use the caller may see. */
  tickets(): Promise<readonly TicketView[]>;
  /** Whether a ticket's line would be taken now; nothing is recorded. */
  checkTicket(line: string): Promise<TicketCheckView>;
  /** All that were ever trusted. */
  ticketKeys(): Promise<readonly TicketKeyView[]>;
  trustTicketKey(request: {
    readonly publicKey: string;
    readonly vo: string;
    readonly label?: string;
  }): Promise<TicketKeyView>;
  /** Gives the key as it then is. */
  revokeTicketKey(id: string): Promise<TicketKeyView>;
}
