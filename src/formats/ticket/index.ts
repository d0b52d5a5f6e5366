export { readKeyFile, readTicketInput, writeKeyFile } from "./ticket-file.ts";
export {
  newTicketKey,
  publicTextOf,
  readPrivateKey,
  readPublicKey,
  type TicketKeyPair,
  ticketKeyId,
} from "./ticket-key.ts";
export { isSignedBy, readTicket, type SignedTicket, signTicket, TICKET_PREFIX } from "./ticket-text.ts";
