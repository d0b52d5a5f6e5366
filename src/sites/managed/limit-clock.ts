/**
 * Counts the time a job has run, suspensions left out, and says when its limit is reached.
 *
 * By the monotonic clock: a corrected wall clock neither shortens nor prolongs a job.
 */
/** The clock of one job, running from its creation. */
export interface LimitClock {
  pause(): void;
  resume(): void;
  /** For good: the limit is no longer of interest. */
  stop(): void;
}

/** Timers hold at most 2^31 ms; a longer wait is taken in stages. */
const LONGEST_TIMER_MS = 86_400_000;

/** Starts a clock that calls `onLimit` once, when `limitMs` have run; null never comes. */
export function startLimitClock(limitMs: number | null, onLimit: () => void): LimitClock {
  let leftMs = limitMs ?? Number.POSITIVE_INFINITY;
  let runningSince = performance.now();
  let isRunning = true;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    if (leftMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(look, Math.min(Math.max(0, Math.ceil(leftMs)), LONGEST_TIMER_MS));
  }
  function count(): void {
    const now = performance.now();
    leftMs -= now - runningSince;
    runningSince = now;
  }
  function look(): void {
    count();
    if (leftMs > 0) wait();
    else onLimit();
  }
  function pause(): void {
    if (!isRunning) return;
    isRunning = false;
    clearTimeout(timer);
    count();
  }

  wait();
  return {
    pause,
    resume() {
      if (isRunning) return;
      isRunning = true;
      runningSince = performance.now();
      wait();
    },
    stop() {
      pause();
      leftMs = Number.POSITIVE_INFINITY;
    },
  };
}
