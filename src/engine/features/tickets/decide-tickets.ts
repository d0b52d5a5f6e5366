/** Use by jobs under tickets, and the release of their holds (rules EN-93, EN-94). */
import { assert, exactProduct } from "../../../base/index.ts";
import { type AttemptEnd, type JobRecord, type StintEvent, ticketName } from "../../../model/index.ts";
import { hasRun, runsOf } from "../../state/accounts.ts";
import type { Projection } from "../../state/projection.ts";
import { jobNeed } from "../../state/ticket-grounds.ts";

type Debited = Extract<StintEvent, { kind: "ticketDebited" }>;

/** The event of what a job that ends has used of its ticket; none where it is under none, or never ran. */
export function ticketDebit(job: JobRecord, end: Pick<AttemptEnd, "cause">, endMs: number) {
  const usedMs = hasRun(job, end) ? usedUntil(job, endMs) : 0;
  return usedMs === 0 ? [] : debits(job, usedMs, "ended", endMs);
}

/** Where the window of a ticket is over its jobs leave it, whether they run or wait. */
export function decideTickets({ tickets, jobs }: Projection, nowMs: number): StintEvent[] {
  const over = overAt(tickets, nowMs);
  if (over.size === 0) return [];
  return [...jobs.values()].flatMap((job) => {
    const { ticket } = job;
    if (ticket === undefined || ticket.heldMs === 0 || !over.has(ticket.name)) return [];
    return debits(job, usedUntil(job, nowMs), "windowOver", nowMs);
  });
}

/** When the next window ends within which jobs hold something. */
export function ticketsWakeAtMs({ tickets: { held, records } }: Pick<Projection, "tickets">): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const name of held) {
    firstMs = Math.min(firstMs, records.get(name)?.ticket.untilMs ?? Number.POSITIVE_INFINITY);
  }
  return firstMs;
}

function overAt({ held, records }: Projection["tickets"], nowMs: number): ReadonlySet<string> {
  const over = new Set<string>();
  for (const name of held) {
    const ticket = records.get(name)?.ticket;
    if (ticket !== undefined && ticket.untilMs <= nowMs) over.add(ticketName(ticket));
  }
  return over;
}

/** Amount that a job has used of its ticket, within the ticket's window and at most what it holds. */
function usedUntil(job: JobRecord, atMs: number): number {
  const { ticket, description } = job;
  if (ticket === undefined) return 0;
  // An end may be told before anybody has decided at the end of the window.
  const endMs = Math.min(atMs, ticket.untilMs);
  const ranMs = runsOf(job, endMs).reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, endMs) - fromMs),
    0,
  );
  return Math.min(exactProduct(jobNeed(description, ticket.resource), ranMs), ticket.heldMs);
}

function debits(
  { id: job, ticket }: JobRecord,
  amountMs: number,
  why: Debited["why"],
  atMs: number,
): readonly Debited[] {
  if (ticket === undefined || ticket.heldMs === 0) return [];
  assert(amountMs <= ticket.heldMs, "no more is debited than was held");
  return [{ kind: "ticketDebited", ticket: ticket.name, job, site: ticket.site, amountMs, why, atMs }];
}
