/** Differences of time intervals. */
import type { Stretch } from "../policy/index.ts";

/** Rest of an interval without the gaps, in order. */
export function without(whole: Stretch, gaps: readonly Stretch[]): readonly Stretch[] {
  const left: Stretch[] = [];
  let atMs = whole.fromMs;
  for (const gap of gaps.toSorted((one, other) => one.fromMs - other.fromMs)) {
    if (gap.fromMs > atMs) left.push({ fromMs: atMs, toMs: Math.min(gap.fromMs, whole.toMs) });
    atMs = Math.max(atMs, gap.toMs);
  }
  if (atMs < whole.toMs) left.push({ fromMs: atMs, toMs: whole.toMs });
  return left.filter(({ fromMs, toMs }) => fromMs < toMs);
}
