/** Operations on stretches of time: union, intersection, difference. */
import type { Stretch } from "./evidence.ts";

/** The union in order, without overlaps and without empty stretches. */
export function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const inOrder = stretches.filter(({ fromMs, toMs }) => fromMs < toMs);
  const all: Stretch[] = [];
  for (const next of inOrder.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = all.at(-1);
    if (last === undefined || last.toMs < next.fromMs) all.push(next);
    else if (next.toMs > last.toMs) all[all.length - 1] = { fromMs: last.fromMs, toMs: next.toMs };
  }
  return all.map(({ fromMs, toMs }) => ({ fromMs, toMs }));
}

/** The parts of `stretches` within a whole. */
export function within(stretches: readonly Stretch[], { fromMs, toMs }: Stretch): readonly Stretch[] {
  return joined(
    stretches.map((one) => ({ fromMs: Math.max(one.fromMs, fromMs), toMs: Math.min(one.toMs, toMs) })),
  );
}

/** The parts of a whole outside of `stretches`. */
export function outside(stretches: readonly Stretch[], { fromMs, toMs }: Stretch): readonly Stretch[] {
  const left: Stretch[] = [];
  let atMs = fromMs;
  for (const one of within(stretches, { fromMs, toMs })) {
    left.push({ fromMs: atMs, toMs: one.fromMs });
    atMs = one.toMs;
  }
  return joined([...left, { fromMs: atMs, toMs }]);
}

/** The sum of their lengths. */
export function lengthMs(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

/** Appends a stretch; one that continues the last one extends it. */
export function append(stretches: Stretch[], fromMs: number, toMs: number): void {
  const last = stretches.at(-1);
  if (last !== undefined && last.toMs >= fromMs) {
    if (toMs > last.toMs) stretches[stretches.length - 1] = { fromMs: last.fromMs, toMs };
  } else stretches.push({ fromMs, toMs });
}
