/**
 * How long a watcher waits for a server that went away.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { LostConnection } from "./server-fault.ts";

/**
 * Waits between tries, longer each time, until the server has been away for `patienceMs`. A server that
 * has nothing to say for hours is not away.
 */
export interface Patience {
  /** The server has been heard. */
  heard(): void;
  /** Waits before the next try; throws `error` where trying again is of no use. */
  wait(error: unknown, signal?: AbortSignal): Promise<void>;
}

const shortestMs = 50;
const longestMs = 2000;

/** Patience that begins when the server is first heard: one that was never there is not waited for. */
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
