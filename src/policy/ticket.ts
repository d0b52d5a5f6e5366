/**
 * Whether a job or a slot is taken under a ticket, and what they hold and use of it (rules PO-42 to PO-44,
 * PO-69, PO-70).
 *
 * Spec 50's tickets: [UP] distributes policies to enforcement points; a ticket takes one promise of a VO to a
 * site that asks nobody. Pure: a ticket, what is known of it, and the time go in.
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

/** The use of a ticket that somebody requests. */
export interface TicketUse {
  readonly consumer: string;
  /** The site it is to be at. */
  readonly site: string;
  /** Of the ticket's resource, in its unit. */
  readonly need: number;
  readonly limitMs: number;
  /** When it begins, where that is not now: of a slot, or of a job that goes to its site later. */
  readonly fromMs?: number;
}

/** What a job or a slot holds of a ticket: need × limit, in amount·ms. */
export function heldBy({ need, limitMs }: Pick<TicketUse, "need" | "limitMs">): number {
  return exactProduct(need, limitMs);
}

/**
 * Why a job or a slot may not be under a ticket, as far as the ticket itself tells and what is kept of it;
 * whether the VO's entitlement holds it is asked by `beyondEntitlement`.
 *
 * @param known what was kept under its name; undefined the first time
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

/** Why nothing may be under a ticket at an instant, whatever it is that would begin at `beginMs`. */
export function whyNotNow(
  { expiresAtMs, fromMs, untilMs }: PresentedTicket["ticket"],
  nowMs: number,
  beginMs: number = nowMs,
): TicketHindrance | undefined {
  if (nowMs >= expiresAtMs) return { kind: "expired", expiredAtMs: expiresAtMs };
  if (beginMs < fromMs) return { kind: "windowAhead", fromMs };
  return nowMs >= untilMs ? { kind: "windowOver", untilMs } : undefined;
}

/** Why it is not the ticket that is known under its name. */
export function whyAltered(digest: string, known: TicketRecord | undefined): TicketHindrance | undefined {
  const isOther = known !== undefined && known.digest !== digest;
  return isOther ? { kind: "altered", knownDigest: known.digest } : undefined;
}

function whyTooLate(untilMs: number, { limitMs }: TicketUse, beginMs: number): TicketHindrance | undefined {
  const endMs = beginMs + limitMs;
  return endMs > untilMs ? { kind: "windowShort", untilMs, endMs } : undefined;
}

/** Why what is left of a ticket does not hold a job or a slot; undefined where it does. */
export function whySpent(
  { ticket }: Pick<PresentedTicket, "ticket">,
  known: Pick<TicketRecord, "heldMs" | "debitedMs"> | undefined,
  use: Pick<TicketUse, "need" | "limitMs">,
): TicketHindrance | undefined {
  const { amountMs, resource } = ticket;
  const { heldMs = 0, debitedMs = 0 } = known ?? {};
  const leftMs = amountMs - heldMs - debitedMs;
  // Compared before it is multiplied: a limit may be longer than anything that is counted exactly.
  const isHeld = use.limitMs <= Math.floor(leftMs / use.need);
  if (isHeld) return undefined;
  const neededMs = Math.min(use.need * use.limitMs, Number.MAX_SAFE_INTEGER);
  return { kind: "spent", resource, amountMs, heldMs, debitedMs, neededMs };
}

/** What is kept of a ticket once a job was taken under it. */
export function withHold(
  presented: PresentedTicket,
  known: TicketRecord | undefined,
  heldMs: number,
  atMs: number,
): TicketRecord {
  const before = known ?? fresh(presented, atMs);
  return withMoreHeld({ ...before, jobs: before.jobs + 1 }, heldMs);
}

/** What is kept of it once a reservation was accepted under it. */
export function withSlotHold(
  presented: PresentedTicket,
  known: TicketRecord | undefined,
  heldMs: number,
  atMs: number,
): TicketRecord {
  const before = known ?? fresh(presented, atMs);
  return withMoreHeld({ ...before, reservations: (before.reservations ?? 0) + 1 }, heldMs);
}

/** What is kept once something that is under it holds more. */
export function withMoreHeld(known: TicketRecord, heldMs: number): TicketRecord {
  const after = { ...known, heldMs: known.heldMs + heldMs };
  assert(ticketLeftMs(after) >= 0, "a ticket holds no more than its amount");
  return after;
}

function fresh({ ticket, digest, key }: PresentedTicket, presentedAtMs: number): TicketRecord {
  const name = ticketName(ticket);
  return { ticket, digest, key, name, presentedAtMs, heldMs: 0, debitedMs: 0, jobs: 0 };
}

/** What is kept once somebody has left: what he used is debited, the rest of what he held is left again. */
export function withDebit(
  known: TicketRecord,
  { heldMs, usedMs }: { readonly heldMs: number; readonly usedMs: number },
): TicketRecord {
  assert(heldMs <= known.heldMs && usedMs <= heldMs, "what leaves was held, and used no more than that");
  return { ...known, heldMs: known.heldMs - heldMs, debitedMs: known.debitedMs + usedMs };
}
