/**
 * Whether two profiles leave the same processors free.
 */
import { indexAt, type Profile } from "./profile.ts";

/** Whether they do at every instant from `fromMs` on, which neither has forgotten. Cost: O(P). */
export function isSameFrom(one: Profile, other: Profile, fromMs: number): boolean {
  let a = indexAt(one, fromMs);
  let b = indexAt(other, fromMs);
  for (;;) {
    if (one.free[0][a] !== other.free[0][b]) return false;
    const nextA = a + 1 < one.tail ? one.times[a + 1] : Number.POSITIVE_INFINITY;
    const nextB = b + 1 < other.tail ? other.times[b + 1] : Number.POSITIVE_INFINITY;
    const nextMs = Math.min(nextA, nextB);
    if (nextMs === Number.POSITIVE_INFINITY) return true;
    if (nextA === nextMs) a++;
    if (nextB === nextMs) b++;
  }
}
