/**
 * When a virtual reservation submits its job, written from the rules alone: every step is listed with all
 * that there is to know of it, and the list is searched.
 */

/** A reservation that is wanted, in whatever unit of time. */
export interface PlainVirtual {
  readonly now: number;
  readonly start: number;
  readonly duration: number;
  readonly step: number;
  /** The longest limit that is allowed. */
  readonly most: number;
  /** The probability that is enough, if one is. */
  readonly enough: number | null;
}

/** The submission; undefined where there is none. */
export function plainVirtualReservation(
  { now, start, duration, step, most, enough }: PlainVirtual,
  probability: (submit: number, limit: number) => number,
): { readonly submit: number; readonly limit: number; readonly probability: number } | undefined {
  const all: { submit: number; limit: number; probability: number }[] = [];
  for (let submit = now; submit < start; submit += step) {
    const limit = duration + (start - submit);
    if (limit <= most) all.push({ submit, limit, probability: probability(submit, limit) });
  }
  if (enough !== null) {
    const sure = all.filter((one) => one.probability >= enough);
    if (sure.length > 0) return sure[sure.length - 1];
  }
  const highest = Math.max(...all.map((one) => one.probability));
  return all.find((one) => one.probability === highest);
}
