/**
 * Tickets and the keys that sign them, as they are asked for and as the API writes them.
 */
import { Type } from "typebox";
import { TICKET_RESOURCES } from "../model/index.ts";
import { instant, ref, type Shape, strict } from "./fields.ts";

const seconds = (description: string) => Type.Number({ description });
const line = Type.String({ maxLength: 5000, description: "The ticket's line: `stint-ticket.v1.…`" });

/** What a ticket itself says. */
const ticketFields = {
  name: Type.String({ description: "`vo/id`" }),
  vo: Type.String(),
  site: Type.String(),
  consumer: Type.String({ description: "Whoever is within it may use the ticket" }),
  resource: Type.Enum([...TICKET_RESOURCES]),
  amountSec: seconds("Of the resource times seconds: processors, GPUs, MiB, GiB stored, KiB/s"),
  window: Type.Object({ from: instant, until: instant }, strict),
  issuedAt: instant,
  expiresAt: instant,
};

const facts = Type.Object(ticketFields, strict);

/** A ticket under which jobs or reservations were taken. */
export const ticketSchema = Type.Object(
  {
    ...ticketFields,
    key: Type.String({ description: "The id of the key that signed it" }),
    presentedAt: instant,
    jobs: Type.Integer({ minimum: 0, description: "How many jobs were ever taken under it" }),
    reservations: Type.Integer({ minimum: 0, description: "How many reservations" }),
    heldSec: seconds("What jobs and reservations that are not over hold"),
    debitedSec: seconds("What they have used"),
    leftSec: seconds("What is left for what is to come"),
  },
  { ...strict, description: "A ticket, and what is left of it" },
);

/** The list of them. */
export const ticketListSchema = Type.Object(
  { items: Type.Array(ref<TicketView>("Ticket")) },
  { ...strict, description: "Tickets, and what is left of each" },
);

/** `POST /tickets/check` */
export const ticketCheckRequestSchema = Type.Object({ ticket: line }, strict);

/** What is said of a ticket. */
export const ticketCheckSchema = Type.Object(
  {
    isTaken: Type.Boolean({ description: "Whether a job would be taken under it now" }),
    why: Type.Union(
      [
        Type.Object(
          { kind: Type.String(), text: Type.String(), remedy: Type.String() },
          { additionalProperties: true, description: "Why none would be; the facts beside its words" },
        ),
        Type.Null(),
      ],
      {},
    ),
    ticket: Type.Union([facts, Type.Null()], {
      description: "What it says; null where it cannot be read",
    }),
    leftSec: Type.Union([Type.Number(), Type.Null()], { description: "What is left of it here" }),
  },
  { ...strict, description: "Whether a ticket would be taken" },
);

/** `POST /ticket-keys` */
export const ticketKeyRequestSchema = Type.Object(
  {
    publicKey: Type.String({
      maxLength: 200,
      description: "`ed25519:…`, as `stint ticket key show` prints it",
    }),
    vo: Type.String({
      pattern: "^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$",
      description: "Whose tickets it signs",
    }),
    label: Type.Optional(
      Type.String({ pattern: "^[^\\p{Cc}]*$", maxLength: 100, description: "Whose it is" }),
    ),
  },
  strict,
);

/** `/ticket-keys/:id` */
export const ticketKeyParameters = Type.Object(
  { id: Type.String({ pattern: "^[0-9a-f]{1,16}$", description: "The id, whole" }) },
  strict,
);

/** A key. */
export const ticketKeySchema = Type.Object(
  {
    id: Type.String({ description: "16 hexadecimal digits of the key's SHA-256" }),
    vo: Type.String(),
    publicKey: Type.String(),
    label: Type.String(),
    trustedBy: Type.String(),
    trustedAt: instant,
    revokedAt: Type.Union([instant, Type.Null()]),
  },
  { ...strict, description: "A key whose tickets are taken for a VO" },
);

/** The list of them. */
export const ticketKeyListSchema = Type.Object(
  { items: Type.Array(ref<TicketKeyView>("TicketKey")) },
  { ...strict, description: "The keys whose tickets are taken" },
);

/** What a ticket says. Amounts are the resource times seconds. */
export type TicketFacts = Shape<typeof facts>;
/** A ticket under which jobs or reservations were taken, and what is left of it. */
export type TicketView = Shape<typeof ticketSchema>;
/** Whether a ticket would be taken now. */
export type TicketCheckView = Shape<typeof ticketCheckSchema>;
/** A key that is to be trusted. */
export type TicketKeyRequest = Shape<typeof ticketKeyRequestSchema>;
/** A key whose tickets are taken for a VO. */
export type TicketKeyView = Shape<typeof ticketKeySchema>;
