/**
 * What can be had of a store or a link, from the rules alone (MK-26): instant after instant.
 */

/** A rectangle of it; whole numbers. */
export interface PlainPart {
  readonly amount: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** A store or a link. */
export interface PlainResource {
  readonly capacity: number;
  readonly held: readonly PlainPart[];
  readonly nowMs: number;
}

/** What is taken of it at an instant. */
export function takenAt({ held }: Pick<PlainResource, "held">, atMs: number): number {
  const there = held.filter((it) => it.startMs <= atMs && atMs < it.startMs + it.durationMs);
  return there.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether a part fits at every one of its instants, none of which is past (MK-26). */
export function isPossible(resource: PlainResource, part: PlainPart): boolean {
  if (part.startMs < resource.nowMs) return false;
  for (let atMs = part.startMs; atMs < part.startMs + part.durationMs; atMs++) {
    if (takenAt(resource, atMs) + part.amount > resource.capacity) return false;
  }
  return true;
}

/** Every start at which it may be had, whenever that is: now, and where something begins or ends. */
export function startsOf(resource: PlainResource, size: Omit<PlainPart, "startMs">): readonly number[] {
  const { nowMs, held } = resource;
  const changes = held.flatMap(({ startMs, durationMs }) => [startMs, startMs + durationMs]);
  const candidates = [...new Set([nowMs, ...changes.filter((atMs) => atMs >= nowMs)])];
  return candidates.sort((a, b) => a - b).filter((startMs) => isPossible(resource, { ...size, startMs }));
}

/** n·d·c in processor-milliseconds: `perProc` of the amount is a processor, c in thousandths. */
export function basePriceOf(
  { amount, durationMs }: Omit<PlainPart, "startMs">,
  { perProc, unitPriceThousandths }: { readonly perProc: number; readonly unitPriceThousandths: number },
): number {
  const parts = BigInt(amount) * BigInt(durationMs) * BigInt(unitPriceThousandths);
  const whole = 1000n * BigInt(perProc);
  return Number(parts / whole + (parts % whole === 0n ? 0n : 1n));
}
