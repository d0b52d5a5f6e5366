/** Use over the epoch against the limit of `cap` (rules PO-9, PO-14). */
import { type EpochWindow, WHOLE_SHARE } from "../../model/index.ts";
import { calendarWindow } from "../calendar.ts";
import {
  changeUse,
  createUseHistory,
  fallsBelowAtMs,
  keptForMs,
  limitOver,
  reachesAtMs,
  type UseHistory,
  type UseLimit,
  usedOver,
} from "../use-history.ts";
import { SITE_RESOURCES, type SiteUses } from "./enforced-site.ts";

/** Length of the window that contains an instant. */
export function epochLengthMs(window: EpochWindow, nowMs: number): number {
  if (window.kind === "sliding") return window.lengthMs;
  const { startMs, endMs } = calendarWindow(window.unit, nowMs, window.offsetMs);
  return endMs - startMs;
}

/** The use of a resource by a level; empty before its first use. */
export function historyOf(uses: SiteUses, path: string, column: number, limit: UseLimit): UseHistory {
  return uses.get(SITE_RESOURCES[column])?.get(path)?.all ?? createUseHistory(keptForMs(limit.window));
}

/** True where the use is over its share, or would be a ms later. */
export function passesShare(history: UseHistory, limit: UseLimit, nowMs: number): boolean {
  return isOverShare(history, limit, nowMs) || isOverShare(history, limit, nowMs + 1);
}

/** True where the use has reached its share. */
export function hasReached(history: UseHistory, limit: UseLimit, nowMs: number): boolean {
  return usedOver(history, limit.window, nowMs) >= limitOver(limit, nowMs);
}

/**
 * True where this amount could be in use for this time before the share is reached.
 *
 * Equivalent to computing the instant at which it is reached; for speed the first test is whether all of that
 * time would be within the share if no past use left the window meanwhile.
 */
export function lastsFor(
  { history, limit, amount }: CappedUse,
  { nowMs, forMs }: { readonly nowMs: number; readonly forMs: number },
): boolean {
  const used = usedOver(history, limit.window, nowMs);
  const bound = limitOver(limit, nowMs);
  if (used >= bound) return false;
  if (limit.window.kind === "sliding" && used + BigInt(amount) * BigInt(forMs) < bound) return true;
  const reachedAtMs = reachesAtMs(history, limit, nowMs, amount);
  return reachedAtMs === null || reachedAtMs >= nowMs + forMs;
}

/** A constant use, and its limit. */
export interface CappedUse {
  readonly history: UseHistory;
  readonly limit: UseLimit;
  readonly amount: number;
}

/** The last ms before a constant use is over its share, but after now; null where it never is. */
export function passesAtMs({ history, limit, amount }: CappedUse, nowMs: number): number | null {
  // The least value above the share: at the share itself a use may go on for ever.
  const above = { ...limit, share: limit.share + 1 };
  const atMs = reachesAtMs(history, above, nowMs, amount);
  return atMs === null ? null : Math.max(atMs - 1, nowMs + 1);
}

/**
 * The first instant at which more can be released, if the present use goes on; null where there is none
 * within a window's length.
 *
 * @param more amount that would be in use
 */
export function lastsAgainAtMs(
  use: CappedUse,
  { nowMs, forMs, more }: { readonly nowMs: number; readonly forMs: number; readonly more: number },
): number | null {
  const history = continued(use, nowMs);
  const lasts = (atMs: number) => lastsFor({ ...use, history, amount: more }, { nowMs: atMs, forMs });
  const belowAtMs = fallsBelowAtMs(use.history, use.limit, nowMs, use.amount);
  if (belowAtMs === null) return null;
  let before = Math.max(belowAtMs, nowMs + 1);
  if (lasts(before)) return before;
  let after = before + epochLengthMs(use.limit.window, before);
  if (!lasts(after)) return null;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (lasts(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The history up to now with the present use, which is not in it yet. */
function continued({ history, amount }: CappedUse, nowMs: number): UseHistory {
  const { keepMs, atMs, amounts, sums, first } = history;
  const going = { keepMs, atMs: [...atMs], amounts: [...amounts], sums: [...sums], first };
  changeUse(going, nowMs, amount);
  return going;
}

/** True where the use is over its share at an instant. */
export function isOverShare(
  history: UseHistory,
  { window, share, capacity }: UseLimit,
  atMs: number,
): boolean {
  const whole = BigInt(share) * BigInt(capacity) * BigInt(epochLengthMs(window, atMs));
  return usedOver(history, window, atMs) * BigInt(WHOLE_SHARE) > whole;
}
