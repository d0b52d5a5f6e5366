/**
 * Limits the rate of all transfers of a stream: a token bucket whose rate may change at any moment.
 *
 * Departs from the usual bucket in one point: whoever takes more than there is goes into debt, and the next
 * one waits until it is paid. So a chunk of any size passes, and the mean is the rate exactly. The bucket
 * holds at most a quarter of a second of the rate. Waiters stand in line, in the order in which they came.
 */

/** Greatest content of a bucket, as time at its rate. */
const DEPTH_SEC = 0.25;
/** Longest sleep before a waiter looks again: a new rate holds at once, this bounds errors of timers. */
const LONGEST_WAIT_MS = 1000;

/** A bucket of bytes; begins empty. */
export interface TokenBucket {
  /** Waits until bytes may pass, and takes them. Rejects when the signal aborts. */
  readonly take: (bytes: number, signal: AbortSignal) => Promise<void>;
  /** Changes the rate, also for those who wait; 0 lets nothing pass. */
  readonly changeRate: (bytesPerSec: number) => void;
  readonly rate: () => number;
}

/** Creates a bucket. @param nowMs a clock that never goes back */
export function createTokenBucket(bytesPerSec: number, nowMs = () => performance.now()): TokenBucket {
  let rate = bytesPerSec;
  let level = 0;
  let filledAt = nowMs();
  let wake: (() => void) | undefined;
  let line: Promise<void> = Promise.resolve();

  const fill = (): void => {
    const now = nowMs();
    level = Math.min(level + (rate * (now - filledAt)) / 1000, rate * DEPTH_SEC);
    filledAt = now;
  };
  const untilPaid = async (signal: AbortSignal): Promise<void> => {
    for (fill(); level < 0 || rate === 0; fill()) {
      signal.throwIfAborted();
      await pause(rate === 0 ? LONGEST_WAIT_MS : Math.min((-level / rate) * 1000, LONGEST_WAIT_MS), signal);
    }
  };
  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, Math.max(1, ms));
      signal.addEventListener("abort", end);
      wake = end;
    });

  return {
    take: (bytes, signal) => {
      const turn = line.then(async () => {
        signal.throwIfAborted();
        await untilPaid(signal);
        level -= bytes;
      });
      line = turn.catch(() => undefined);
      return turn;
    },
    changeRate: (next) => {
      fill();
      rate = next;
      level = Math.min(level, rate * DEPTH_SEC);
      wake?.();
    },
    rate: () => rate,
  };
}
