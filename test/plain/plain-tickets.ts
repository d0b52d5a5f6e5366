/**
 * Whether the promises of tickets can be kept, found by keeping them.
 */

/** A ticket, as far as it counts here. */
interface PlainTicket {
  readonly amountMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * whether all tickets can have their amounts in their windows, `share` of `whole` parts of so many
 * units being theirs at any instant: the one whose window ends first is served first, as fast as may be.
 */
export function plainIsKept(
  tickets: readonly PlainTicket[],
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
