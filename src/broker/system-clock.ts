/**
 * The system's clock and timers, behind the clock port.
 */
import type { Clock } from "../runtime/index.ts";

/** Timers longer than this overflow; whoever waits longer is woken early and asks again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the live broker. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  wakeAt: (atMs, call) => {
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(atMs - Date.now())));
    const timer = setTimeout(call, waitMs);
    return () => clearTimeout(timer);
  },
};
