/**
 * Presented tickets: verification of the signature (rule BR-51), and remaining amount.
 *
 * Verification is offline: the trusted keys are in the state.
 */
import { accepted, type Result, refused } from "../base/index.ts";
import { type Projection, trustedFor, whyNoneUnder } from "../engine/index.ts";
import { isSignedBy, readPublicKey, readTicket, type SignedTicket } from "../formats/ticket/index.ts";
import {
  type Command,
  type PresentedTicket,
  type Refusal,
  type TicketHindrance,
  type TicketKeyRecord,
  ticketName,
} from "../model/index.ts";
import type { BrokerApi, Round, TicketCheck } from "../runtime/index.ts";

type Submission = Extract<Command, { kind: "submit" }>;

import type { ApiWorld } from "./api-world.ts";

/** Tickets, with verification of their signatures. */
export function ticketQuestions({ round }: Pick<ApiWorld, "round">) {
  return {
    checkTicket: (line) => checkTicket(round, line),
    presentTicket: (line) => presentedIn(round.projection, line),
  } satisfies Partial<BrokerApi>;
}

/** The request with its ticket, whose signature was found right; as it is where it comes with none. */
export function withTicket(projection: Projection, command: Submission): Result<Submission, Refusal> {
  const { ticket: text } = command.description;
  if (text === undefined) return accepted(command);
  const presented = presentedIn(projection, text);
  return presented.ok ? accepted({ ...command, ticket: presented.value }) : presented;
}

/** Verdict on a ticket at this instant; nothing is recorded. */
function checkTicket(round: Round, text: string): TicketCheck {
  const { projection } = round;
  const read = readTicket(text);
  if (!read.ok) return { ticket: null, why: { kind: "unreadable", detail: read.refusal }, record: null };
  const { ticket, digest } = read.value;
  const presented = presentedIn(projection, text);
  const why = presented.ok
    ? whyNoneUnder(projection, presented.value, round.nowMs())
    : whyOf(presented.refusal);
  const record = projection.tickets.records.get(ticketName(ticket));
  return { ticket, why: why ?? null, record: record?.digest === digest ? record : null };
}

/** The ticket that a line is, whose signature was found right. */
function presentedIn({ tickets }: Projection, text: string): Result<PresentedTicket, Refusal> {
  const read = readTicket(text);
  if (!read.ok) return refusedFor("", { kind: "unreadable", detail: read.refusal });
  const { ticket, digest } = read.value;
  const { vo } = ticket;
  const ofVo = [...tickets.keys.values()].filter((key) => key.vo === vo);
  const signer = ofVo.find((key) => hasSigned(key, read.value));
  if (signer !== undefined) return accepted({ ticket, digest, key: signer.id });
  const keys = trustedFor(ofVo, vo).length;
  return refusedFor(ticketName(ticket), { kind: "notSigned", vo, keys });
}

/** Signatures of revoked keys are valid here: the engine decides on revocation. */
function hasSigned({ publicKey }: TicketKeyRecord, signed: SignedTicket): boolean {
  return isSignedBy(signed, readPublicKey(publicKey));
}

function refusedFor(ticket: string, why: TicketHindrance) {
  return refused<Refusal>({ kind: "ticketRefused", ticket, why });
}

function whyOf(refusal: Refusal): TicketHindrance | undefined {
  return refusal.kind === "ticketRefused" ? refusal.why : undefined;
}
