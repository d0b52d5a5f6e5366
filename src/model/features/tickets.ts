/**
 * Tickets that organisations sign, and the keys that are trusted to sign them.
 */
import type { FeatureModel } from "../feature.ts";
import type { TicketHindrance } from "../ticket.ts";
import { ticketHindranceText } from "../ticket-text.ts";

interface TrustedKey {
  readonly key: string;
  readonly vo: string;
  readonly publicKey: string;
  readonly label: string;
  readonly by: string;
}

interface TicketsTypes {
  readonly command: /** From now on tickets that this key has signed for a VO are taken. */
    | ({ readonly kind: "trustTicketKey" } & TrustedKey)
    | { readonly kind: "revokeTicketKey"; readonly key: string; readonly by: string };
  readonly event: /** A job leaves its ticket, having used so much of it, in amount·ms. */
    | {
        readonly kind: "ticketDebited";
        readonly ticket: string;
        readonly job: string;
        readonly site: string;
        readonly amountMs: number;
        readonly why: "ended" | "windowOver";
      }
    | ({ readonly kind: "ticketKeyTrusted" } & TrustedKey)
    | { readonly kind: "ticketKeyRevoked"; readonly key: string; readonly by: string };
  readonly refusal: /** By its name, or "" where it cannot be read. */
    | { readonly kind: "ticketRefused"; readonly ticket: string; readonly why: TicketHindrance }
    | { readonly kind: "unknownTicketKey"; readonly key: string }
    | { readonly kind: "ticketKeyRevoked"; readonly key: string };
}

export const tickets: FeatureModel<TicketsTypes> = {
  events: { ticketDebited: 1, ticketKeyTrusted: 1, ticketKeyRevoked: 1 },
  refusals: {
    ticketRefused: {
      status: ({ why }) => statusOf(why),
      text: ({ ticket, why }) => ({ what: `ticket ${ticket} is not accepted`, ...ticketHindranceText(why) }),
    },
    unknownTicketKey: {
      status: 404,
      text: ({ key }) => ({
        what: `there is no key ${key}`,
        why: "this broker trusts no ticket key with this id",
        remedy: "`stint ticket key list` lists them",
      }),
    },
    ticketKeyRevoked: {
      status: 409,
      text: ({ key }) => ({
        what: `key ${key} cannot be revoked`,
        why: "it has already been revoked",
        remedy: "nothing to do: tickets that it signed are no longer accepted",
      }),
    },
  },
};

function statusOf({ kind }: TicketHindrance): number {
  switch (kind) {
    case "spent":
    case "beyondEntitlement":
      return 402;
    case "notSigned":
    case "keyRevoked":
    case "wrongConsumer":
      return 403;
    default:
      return 422;
  }
}
