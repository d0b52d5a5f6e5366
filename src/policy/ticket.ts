/**
 * Admission of jobs and slots under a ticket, and the amounts that they hold and use of it (rules PO-42,
 * PO-44).
 *
 * Spec 50's tickets: [UP] distributes policies to enforcement points; a ticket takes one promise of a VO to a
 * site without a further request. Pure: a function of a ticket, its record, and the time.
 */
import { assert, exactProduct } from "../base/index.ts";
import {
  isWithin,
  type PresentedTicket,
  type TicketHindrance,
  type TicketRecord,
  ticketLeftMs,
  ticketName,
} from "../model/index.ts";

/** A requested use of a ticket. */
export interface TicketUse {
  readonly consumer: string;
  readonly site: string;
  /** Amount of the ticket's resource, in its unit. */
  readonly need: number;
  readonly limitMs: number;
  /** Begin of the use, where that is not now: of a slot, or of a job that goes to its site later. */
  readonly fromMs?: number;
}

/** Amount that a job or a slot holds of a ticket: need × limit, in amount·ms. */
export function heldBy({ need, limitMs }: Pick<TicketUse, "need" | "limitMs">): number {
  return exactProduct(need, limitMs);
}

/**
 * The reason why a job or a slot is refused under a ticket, from the ticket and its record alone; the VO's
 * entitlement is tested by `beyondEntitlement`.
 *
 * @param known the record under its name; undefined the first time
 */
export function whyNotTaken(
  { ticket, digest }: PresentedTicket,
  known: TicketRecord | undefined,
  use: TicketUse,
  nowMs: number,
): TicketHindrance | undefined {
  const { site, consumer, resource } = ticket;
  if (use.site !== site) return { kind: "wrongSite", site, asked: use.site };
  if (!isWithin(use.consumer, consumer)) return { kind: "wrongConsumer", consumer, asked: use.consumer };
  if (use.need <= 0) return { kind: "resourceNotNeeded", resource };
  const beginMs = use.fromMs ?? nowMs;
  return (
    whyNotNow(ticket, nowMs, beginMs) ?? whyTooLate(ticket.untilMs, use, beginMs) ?? whyAltered(digest, known)
  );
}

/** The reason why any use that begins at `beginMs` is refused. */
export function whyNotNow(
  { expiresAtMs, fromMs, untilMs }: PresentedTicket["ticket"],
  nowMs: number,
  beginMs: number = nowMs,
): TicketHindrance | undefined {
  if (nowMs >= expiresAtMs) return { kind: "expired", expiredAtMs: expiresAtMs };
  if (beginMs < fromMs) return { kind: "windowAhead", fromMs };
  return nowMs >= untilMs ? { kind: "windowOver", untilMs } : undefined;
}

/** The reason why the ticket differs from the one known under its name. */
export function whyAltered(digest: string, known: TicketRecord | undefined): TicketHindrance | undefined {
  const isOther = known !== undefined && known.digest !== digest;
  return isOther ? { kind: "altered", knownDigest: known.digest } : undefined;
}

function whyTooLate(untilMs: number, { limitMs }: TicketUse, beginMs: number): TicketHindrance | undefined {
  const endMs = beginMs + limitMs;
  return endMs > untilMs ? { kind: "windowShort", untilMs, endMs } : undefined;
}

/** The reason why the rest of a ticket is too small for a job or a slot; undefined where it suffices. */
export function whySpent(
  { ticket }: Pick<PresentedTicket, "ticket">,
  known: Pick<TicketRecord, "heldMs" | "debitedMs"> | undefined,
  use: Pick<TicketUse, "need" | "limitMs">,
): TicketHindrance | undefined {
  const { amountMs, resource } = ticket;
  const { heldMs = 0, debitedMs = 0 } = known ?? {};
  const leftMs = amountMs - heldMs - debitedMs;
  // Compared before the multiplication: a limit may exceed the exact integers.
  const isHeld = use.limitMs <= Math.floor(leftMs / use.need);
  if (isHeld) return undefined;
  const neededMs = Math.min(use.need * use.limitMs, Number.MAX_SAFE_INTEGER);
  return { kind: "spent", resource, amountMs, heldMs, debitedMs, neededMs };
}

/** The record of a ticket after a job was taken under it. */
export function withHold(
  presented: PresentedTicket,
  known: TicketRecord | undefined,
  heldMs: number,
  atMs: number,
): TicketRecord {
  const before = known ?? fresh(presented, atMs);
  return withMoreHeld({ ...before, jobs: before.jobs + 1 }, heldMs);
}

/** The record after a reservation was accepted under it. */
export function withSlotHold(
  presented: PresentedTicket,
  known: TicketRecord | undefined,
  heldMs: number,
  atMs: number,
): TicketRecord {
  const before = known ?? fresh(presented, atMs);
  return withMoreHeld({ ...before, reservations: (before.reservations ?? 0) + 1 }, heldMs);
}

/** The record after an extension of a use holds more. */
export function withMoreHeld(known: TicketRecord, heldMs: number): TicketRecord {
  const after = { ...known, heldMs: known.heldMs + heldMs };
  assert(ticketLeftMs(after) >= 0, "a ticket holds no more than its amount");
  return after;
}

function fresh({ ticket, digest, key }: PresentedTicket, presentedAtMs: number): TicketRecord {
  const name = ticketName(ticket);
  return { ticket, digest, key, name, presentedAtMs, heldMs: 0, debitedMs: 0, jobs: 0 };
}

/** The record after a job or reservation has ended: its use is debited, the rest of its hold is released. */
export function withDebit(
  known: TicketRecord,
  { heldMs, usedMs }: { readonly heldMs: number; readonly usedMs: number },
): TicketRecord {
  assert(heldMs <= known.heldMs && usedMs <= heldMs, "what leaves was held, and used no more than that");
  return { ...known, heldMs: known.heldMs - heldMs, debitedMs: known.debitedMs + usedMs };
}
