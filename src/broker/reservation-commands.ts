/**
 * Commands about reservations and accounts: no id is given twice, and what is over is refused for what became
 * of it, not as unknown.
 */
import { refused } from "../base/index.ts";
import { type Answer, RESERVATION_ALLOWED_IN } from "../engine/index.ts";
import type { Refusal, ReservationRecord, ReservationVerb } from "../model/index.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "./broker-commands.ts";
import { findPosting, findReservation } from "./market-questions.ts";

const VERB_OF = {
  acceptOffer: "accept",
  cancelReservation: "cancel",
  relinquish: "relinquish",
  extendReservation: "extend",
} as const satisfies { readonly [Kind in VerbKind]: ReservationVerb };

type VerbKind = "acceptOffer" | "cancelReservation" | "relinquish" | "extendReservation";

export const reservationCommands = {
  grant,
  offerSlot,
  offerTogether,
  acceptOffer: askOfReservation,
  cancelReservation: askOfReservation,
  relinquish: askOfReservation,
  extendReservation: askOfReservation,
} as const satisfies BrokerAnswers;

/** A second command with the same id waits until the first is answered. */
function grant({ round, logbook, inTurn }: CommandWorld, command: CommandOf<"grant">): Promise<Answer> {
  const { grant: id } = command;
  return inTurn(`grant ${id}`, async () => {
    const before = await findPosting(logbook, id);
    return before === undefined ? round.ask(command) : refused({ kind: "idInUse", id });
  });
}

async function offerSlot({ round, logbook }: CommandWorld, command: CommandOf<"offerSlot">): Promise<Answer> {
  const { reservation: id } = command;
  const before = await findReservation(round, logbook, id);
  return before === undefined ? round.ask(command) : refused({ kind: "idInUse", id });
}

async function offerTogether(
  { round, logbook }: CommandWorld,
  command: CommandOf<"offerTogether">,
): Promise<Answer> {
  for (const { reservation: id } of command.parts) {
    if ((await findReservation(round, logbook, id)) !== undefined) return refused({ kind: "idInUse", id });
  }
  return round.ask(command);
}

async function askOfReservation(
  { round, logbook }: CommandWorld,
  command: CommandOf<VerbKind>,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (answered.ok || answered.refusal.kind !== "unknownReservation") return answered;
  const over = await findReservation(round, logbook, command.reservation);
  return over === undefined ? answered : refused(sinceItIsOver(over, VERB_OF[command.kind]));
}

/** Refusal of an expired offer, with the advice to request another slot. */
function sinceItIsOver({ id, state, expiresAtMs }: ReservationRecord, verb: ReservationVerb): Refusal {
  if (verb === "accept" && state === "LAPSED") {
    return { kind: "offerLapsed", reservation: id, expiredAtMs: expiresAtMs };
  }
  const allowedIn = RESERVATION_ALLOWED_IN[verb];
  return { kind: "wrongReservationState", reservation: id, verb, state, allowedIn };
}
