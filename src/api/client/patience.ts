/** Retries of a watcher whose server went away. */
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { LostConnection } from "./server-fault.ts";

/**
 * Waits between tries, longer each time, until the server has been away for `patienceMs`. A server that
 * has nothing to say for hours is not away.
 */
export interface Patience {
  /** Resets the retries after any sign of the server. */
  heard(): void;
  /** Waits before the next retry; throws `error` where retrying is useless. */
  wait(error: unknown, signal?: AbortSignal): Promise<void>;
}

const shortestMs = 50;
const longestMs = 2000;

/** Retries that begin once the server has answered: one that never did is not retried. */
export function createPatience(patienceMs: number): Patience {
  let wasHeard = false;
  let awaySinceMs: number | undefined;
  let pauseMs = shortestMs;
  return {
    heard() {
      wasHeard = true;
      awaySinceMs = undefined;
      pauseMs = shortestMs;
    },
    async wait(error, signal) {
      const isAway =
        error instanceof LostConnection || (error instanceof Fault && error.kind === "unreachable");
      awaySinceMs ??= performance.now();
      if (!isAway || !wasHeard || performance.now() - awaySinceMs > patienceMs) throw error;
      await sleep(pauseMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
      pauseMs = Math.min(pauseMs * 2, longestMs);
    },
  };
}
