/**
 * Tickets as the rules say them, without books kept along the way: what is left is added up anew from
 * everything that ever happened, and whether promises can be kept is found by keeping them.
 */

/** A ticket, as far as it counts here. */
export interface PlainTicket {
  readonly name: string;
  readonly content: string;
  readonly amountMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Something that happened to a ticket. */
export type PlainStep =
  | { readonly kind: "taken"; readonly ticket: PlainTicket; readonly job: string; readonly holdsMs: number }
  | { readonly kind: "left"; readonly job: string; readonly usedMs: number };

/** PO-44: what is left of a ticket after all these steps. */
export function plainLeft(ticket: PlainTicket, steps: readonly PlainStep[]): number {
  let left = ticket.amountMs;
  for (const step of steps) {
    if (step.kind !== "taken" || step.ticket.name !== ticket.name) continue;
    const end = steps.find((other) => other.kind === "left" && other.job === step.job);
    left -= end?.kind === "left" ? Math.min(end.usedMs, step.holdsMs) : step.holdsMs;
  }
  return left;
}

/** PO-43: whether some step knows another content under the ticket's name. */
export function plainIsAltered(ticket: PlainTicket, steps: readonly PlainStep[]): boolean {
  return steps.some(
    (step) =>
      step.kind === "taken" && step.ticket.name === ticket.name && step.ticket.content !== ticket.content,
  );
}

/**
 * PO-45: whether all tickets can have their amounts in their windows, `share` of `whole` parts of so many
 * units being theirs at any instant: the one whose window ends first is served first, as fast as may be.
 */
export function plainIsKept(
  tickets: readonly Pick<PlainTicket, "amountMs" | "fromMs" | "untilMs">[],
  rate: { readonly share: number; readonly whole: number; readonly capacity: number },
): boolean {
  const whole = BigInt(rate.whole);
  const perMs = BigInt(rate.share) * BigInt(rate.capacity);
  const rests = tickets.map((ticket) => ({ ticket, rest: BigInt(ticket.amountMs) * whole }));
  const inOrder = [...rests].sort((one, other) => one.ticket.untilMs - other.ticket.untilMs);
  const instants = [...new Set(tickets.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))];
  instants.sort((one, other) => one - other);
  for (const [at, beginMs] of instants.entries()) {
    if (inOrder.some(({ ticket, rest }) => ticket.untilMs <= beginMs && rest > 0n)) return false;
    const endMs = instants[at + 1] ?? beginMs;
    let given = perMs * BigInt(endMs - beginMs);
    for (const one of inOrder) {
      if (one.ticket.fromMs > beginMs) continue;
      const part = one.rest < given ? one.rest : given;
      one.rest -= part;
      given -= part;
    }
  }
  return true;
}
