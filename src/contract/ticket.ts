/** Tickets and the keys that sign them: requests and responses. */
import { Type } from "typebox";
import { TICKET_RESOURCES } from "../model/index.ts";
import { instant, ref, type Shape, strict } from "./fields.ts";

const seconds = (description: string) => Type.Number({ description });
const line = Type.String({ maxLength: 5000, description: "The ticket's line: `stint-ticket.v1.…`" });

/** Content of a ticket. */
const ticketFields = {
  name: Type.String({ description: "`vo/id`" }),
  vo: Type.String(),
  site: Type.String(),
  consumer: Type.String({ description: "Consumer that may use it, with all below it" }),
  resource: Type.Enum([...TICKET_RESOURCES]),
  amountSec: seconds(
    "Amount of the resource times seconds; its unit is a processor, a GPU, a MiB of memory, a " +
      "GiB of storage or a KiB/s of network",
  ),
  window: Type.Object({ from: instant, until: instant }, strict),
  issuedAt: instant,
  expiresAt: instant,
};

const facts = Type.Object(ticketFields, strict);

/** A ticket with its remaining amount. */
export const ticketSchema = Type.Object(
  {
    ...ticketFields,
    key: Type.String({ description: "The id of the key that signed it" }),
    presentedAt: instant,
    jobs: Type.Integer({ minimum: 0, description: "Number of jobs accepted under it" }),
    reservations: Type.Integer({ minimum: 0, description: "Number of reservations under it" }),
    heldSec: seconds("Amount held for jobs and reservations that have not ended"),
    debitedSec: seconds("Amount used by jobs and reservations"),
    leftSec: seconds("Amount that further jobs and reservations can use"),
  },
  { ...strict, description: "A ticket with its remaining amount" },
);

/** List of tickets. */
export const ticketListSchema = Type.Object(
  { items: Type.Array(ref<TicketView>("Ticket")) },
  { ...strict, description: "Tickets with their remaining amounts" },
);

/** `POST /tickets/check` */
export const ticketCheckRequestSchema = Type.Object({ ticket: line }, strict);

/** Result of checking a ticket. */
export const ticketCheckSchema = Type.Object(
  {
    isTaken: Type.Boolean({ description: "True if a job would be accepted under it now" }),
    why: Type.Union(
      [
        Type.Object(
          { kind: Type.String(), text: Type.String(), remedy: Type.String() },
          { additionalProperties: true, description: "Reason of a refusal, with its facts" },
        ),
        Type.Null(),
      ],
      {},
    ),
    ticket: Type.Union([facts, Type.Null()], {
      description: "Content of the ticket; null if it cannot be read",
    }),
    leftSec: Type.Union([Type.Number(), Type.Null()], { description: "Remaining amount here" }),
  },
  { ...strict, description: "Result of checking a ticket" },
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
      description: "VO whose tickets it signs",
    }),
    label: Type.Optional(
      Type.String({ pattern: "^[^\\p{Cc}]*$", maxLength: 100, description: "Note on its owner" }),
    ),
  },
  strict,
);

/** `/ticket-keys/:id` */
export const ticketKeyParameters = Type.Object(
  {
    id: Type.String({
      pattern: "^[0-9a-f]{1,16}$",
      description: "The complete id; it cannot be abbreviated",
    }),
  },
  strict,
);

/** A key that signs tickets. */
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
  { ...strict, description: "A key trusted to sign tickets for a VO" },
);

/** List of keys. */
export const ticketKeyListSchema = Type.Object(
  { items: Type.Array(ref<TicketKeyView>("TicketKey")) },
  { ...strict, description: "Keys trusted to sign tickets" },
);

/** Content of a ticket. Amounts are the resource times seconds. */
export type TicketFacts = Shape<typeof facts>;
/** A ticket that jobs or reservations use, with its remaining amount. */
export type TicketView = Shape<typeof ticketSchema>;
/** Result of checking a ticket. */
export type TicketCheckView = Shape<typeof ticketCheckSchema>;
/** A key to trust. */
export type TicketKeyRequest = Shape<typeof ticketKeyRequestSchema>;
/** A key trusted to sign tickets for a VO. */
export type TicketKeyView = Shape<typeof ticketKeySchema>;
