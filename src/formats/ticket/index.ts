export { readKeyFile, readTicketInput, writeKeyFile } from "./ticket-file.ts";
export {
  newTicketKey,
  publicTextOf,
  readPrivateKey,
  readPublicKey,
  ticketKeyId,
} from "./ticket-key.ts";
export { isSignedBy, readTicket, type SignedTicket, signTicket } from "./ticket-text.ts";
