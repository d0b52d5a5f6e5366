/** Attempts at a source or a sink: the waits between them, since when they fail, and when the next one is. */
import { setTimeout as sleep } from "node:timers/promises";
import { createBackoff } from "./backoff.ts";

/** Time between two looks for something that does not exist yet. */
const AWAIT_MS = 1000;

/** Trouble with a source or a sink, by the clock of the wrapper. */
export interface Trouble {
  readonly with: "source" | "sink";
  readonly message: string;
  readonly sinceMs: number;
  /** Instant of the next attempt, in the past while one is under way; absent where it is not planned. */
  readonly nextAtMs?: number;
}

/** An attempt that failed. */
interface Failure {
  readonly message: string;
  /** True for data that are to come: they are looked for each second. */
  readonly isAwaited?: boolean;
  readonly signal: AbortSignal;
  readonly tell: (trouble: Trouble) => void;
}

/** A series of attempts. */
export interface Attempts {
  /** Tells the trouble, and waits until the next attempt. */
  readonly failed: (failure: Failure) => Promise<void>;
  readonly succeeded: () => void;
}

/** Begins a series without failures. */
export function createAttempts(of: Trouble["with"], nowMs: () => number = Date.now): Attempts {
  const backoff = createBackoff();
  let sinceMs: number | undefined;
  return {
    failed: async ({ message, isAwaited = false, signal, tell }) => {
      const told = (waitMs: number): void => {
        const now = nowMs();
        sinceMs ??= now;
        tell({ with: of, message, sinceMs, nextAtMs: now + Math.round(waitMs) });
      };
      if (!isAwaited) return backoff.wait(signal, told);
      told(AWAIT_MS);
      await sleep(AWAIT_MS, undefined, { signal });
    },
    succeeded: () => {
      backoff.reset();
      sinceMs = undefined;
    },
  };
}
