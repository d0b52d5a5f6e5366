/** Waits between attempts: twice as long each time, up to half a minute, with a spread against crowds. */
import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 200;
const LONGEST_MS = 30_000;

/** Waits of one series of attempts. */
export interface Backoff {
  /** @param tell called with the length of the wait, in milliseconds */
  readonly wait: (signal: AbortSignal, tell?: (waitMs: number) => void) => Promise<void>;
  /** After a success the next wait is short again. */
  readonly reset: () => void;
}

/**
 * @param random in [0, 1): spreads wrappers that lost one server at the same moment
 * @param pause ends after that many milliseconds
 */
export function createBackoff(
  random: () => number = Math.random,
  pause: (ms: number, signal: AbortSignal) => Promise<void> = (ms, signal) =>
    sleep(ms, undefined, { signal }),
): Backoff {
  let nextMs = FIRST_MS;
  return {
    wait: async (signal, tell) => {
      const waitMs = nextMs * (0.5 + random() / 2);
      nextMs = Math.min(2 * nextMs, LONGEST_MS);
      tell?.(waitMs);
      await pause(waitMs, signal);
    },
    reset: () => {
      nextMs = FIRST_MS;
    },
  };
}
