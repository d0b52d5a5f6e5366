/**
 * A site that takes jobs under tickets, as PO-42, PO-44 and EN-93 say it, and with no books: it keeps what
 * ever happened, and for each question adds it all up again, millisecond by millisecond.
 *
 * Times are small whole numbers of ms, so that every stretch of time can be tried for itself.
 */

/** A ticket. `content` stands for all that it says; two tickets with the same are copies. */
export interface SiteTicket {
  readonly vo: string;
  readonly id: string;
  readonly content: string;
  readonly site: string;
  readonly consumer: string;
  /** Amount·ms of the one resource that is played. */
  readonly amount: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly expiresMs: number;
}

/** A job that is presented with a ticket: what it needs of the ticket's resource, for at most how long. */
export interface SiteAsk {
  readonly job: string;
  readonly consumer: string;
  readonly need: number;
  readonly limitMs: number;
  readonly atMs: number;
}

/** A job that was taken, and what came of it so far. */
interface Taken {
  readonly ticket: SiteTicket;
  readonly ask: SiteAsk;
  /** The stretches in which it ran; an open one has no end yet. */
  readonly ran: { fromMs: number; untilMs: number | null }[];
  overMs: number | null;
}

/** Why a ticket was not taken, in the order of PO-42. */
export type SiteReason =
  | "site"
  | "consumer"
  | "need"
  | "expired"
  | "window"
  | "otherContent"
  | "entitlement"
  | "left";

/** What a site is, and which parts (in millionths) of its capacity it has promised its organisations. */
export interface TicketSiteShape {
  readonly site: string;
  readonly capacity: number;
  readonly shares: ReadonlyMap<string, number>;
}

/** The site. */
export class PlainTicketSite {
  private readonly shape: TicketSiteShape;
  private readonly taken: Taken[] = [];

  constructor(shape: TicketSiteShape) {
    this.shape = shape;
  }

  /** PO-42: the first thing that speaks against it; undefined where it is taken. */
  verdict(ticket: SiteTicket, ask: SiteAsk): SiteReason | undefined {
    const reasons: readonly (readonly [SiteReason, boolean])[] = [
      ["site", ticket.site !== this.shape.site],
      ["consumer", !`${ask.consumer}/`.startsWith(`${ticket.consumer}/`)],
      ["need", ask.need < 1],
      ["expired", ask.atMs >= ticket.expiresMs],
      ["window", ask.atMs < ticket.fromMs || ask.atMs + ask.limitMs > ticket.untilMs],
      [
        "otherContent",
        this.known().some((other) => named(other, ticket) && other.content !== ticket.content),
      ],
      ["entitlement", !this.promised(ticket)],
      ["left", this.left(ticket, ask.atMs) < ask.need * ask.limitMs],
    ];
    return reasons.find(([, holds]) => holds)?.[0];
  }

  /** Takes a job, whose verdict was asked for before. */
  take(ticket: SiteTicket, ask: SiteAsk): void {
    this.taken.push({ ticket, ask, ran: [], overMs: null });
  }

  /** A job begins to run, or goes on. */
  runs(job: string, atMs: number): void {
    this.find(job).ran.push({ fromMs: atMs, untilMs: null });
  }

  /** A job runs no more: it was stopped, or, where `over`, is at its end. */
  stops(job: string, atMs: number, over: boolean): void {
    const taken = this.find(job);
    for (const stretch of taken.ran) stretch.untilMs ??= atMs;
    if (over) taken.overMs = atMs;
  }

  /** Whether a job is under its ticket at an instant: neither over, nor beyond the end of the window. */
  under(job: string, atMs: number): boolean {
    const { ticket, overMs } = this.find(job);
    return overMs === null && atMs < ticket.untilMs;
  }

  /** PO-44: what the jobs under it hold now. */
  held(ticket: SiteTicket, atMs: number): number {
    return sum(this.of(ticket).map(({ ask }) => (this.under(ask.job, atMs) ? ask.need * ask.limitMs : 0)));
  }

  /** PO-44, EN-93: what those that are no more under it have used, each up to what it held. */
  debited(ticket: SiteTicket, atMs: number): number {
    const gone = this.of(ticket).filter(({ ask }) => !this.under(ask.job, atMs));
    return sum(gone.map((taken) => Math.min(taken.ask.need * taken.ask.limitMs, usedWithin(taken, atMs))));
  }

  /** What is left of a ticket. */
  left(ticket: SiteTicket, atMs: number): number {
    return ticket.amount - this.held(ticket, atMs) - this.debited(ticket, atMs);
  }

  /** The VO's entitlement, for every stretch of whole ms around the window of a new ticket. */
  private promised(ticket: SiteTicket): boolean {
    const known = this.known();
    if (known.some((other) => named(other, ticket))) return true;
    const same = [...known.filter((other) => other.vo === ticket.vo), ticket];
    const share = BigInt(this.shape.shares.get(ticket.vo) ?? 0) * BigInt(this.shape.capacity);
    const firstMs = Math.min(...same.map((each) => each.fromMs));
    const lastMs = Math.max(...same.map((each) => each.untilMs));
    for (let a = firstMs; a <= ticket.fromMs; a += 1) {
      for (let b = ticket.untilMs; b <= lastMs; b += 1) {
        const within = same.filter((each) => each.fromMs >= a && each.untilMs <= b);
        if (BigInt(sum(within.map((each) => each.amount))) > (share * BigInt(b - a)) / 1_000_000n)
          return false;
      }
    }
    return true;
  }

  private known(): readonly SiteTicket[] {
    const all = new Map(this.taken.map(({ ticket }) => [`${ticket.vo} ${ticket.id}`, ticket]));
    return [...all.values()];
  }

  private of(ticket: SiteTicket): readonly Taken[] {
    return this.taken.filter((taken) => named(taken.ticket, ticket));
  }

  private find(job: string): Taken {
    const found = this.taken.find(({ ask }) => ask.job === job);
    if (found === undefined) throw new Error(`no job ${job} was taken`);
    return found;
  }
}

function named(one: SiteTicket, other: SiteTicket): boolean {
  return one.vo === other.vo && one.id === other.id;
}

/** Amount·ms that a job used in the window of its ticket, counted ms by ms. */
function usedWithin(taken: Taken, atMs: number): number {
  let usedMs = 0;
  for (let t = taken.ticket.fromMs; t < taken.ticket.untilMs; t += 1) {
    if (taken.ran.some(({ fromMs, untilMs }) => fromMs <= t && t < (untilMs ?? atMs))) usedMs += 1;
  }
  return usedMs * taken.ask.need;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
