/**
 * Monotonic time for a broker, for any change of its machine's clock.
 *
 * It follows that clock, forward also by leaps, and never goes back: not in a run, and not behind the last
 * event of the runs before. While the machine's clock is behind (it was put back, or had been ahead in an
 * earlier run) the broker's time goes on at {@link SLOWED} of the usual pace until the clock has caught up,
 * so waits end, and things happen in the order in which they are recorded. Durations come out so much
 * shorter meanwhile. What is more than {@link HOPELESS_MS} behind is not waited for: then time passes at its
 * usual pace. A leap second is a step of one second, and time zones are not in these numbers at all.
 *
 * Alarms go by time that passes; a leap forward is noticed within {@link NOTICED_MS}.
 */
import type { Clock, Logbook } from "../runtime/index.ts";

/** Sources of a clock. */
export interface TimeSources {
  /** Unix time of the machine, in ms. May step. */
  readonly wallMs: () => number;
  /** Time that passes, in ms from anywhere. Never goes back and never leaps. */
  readonly passedMs: () => number;
  /** Calls when so much time has passed; gives what calls it off. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** A clock with its distance to the machine's. */
export interface SteadyClock extends Clock {
  /** By how much the machine's clock is behind. */
  aheadMs(): number;
}

/** Initial state of a clock. */
export interface ClockSetting {
  /** Lower bound of the start: the last event of the run before. */
  readonly notBeforeMs: number;
  /** Called when the machine's clock falls behind by more than {@link TOLD_MS}. */
  readonly onBehind: (behindMs: number) => void;
}

const SLOWED = 15 / 16;
const HOPELESS_MS = 24 * 3_600_000;
const NOTICED_MS = 10_000;
/** Largest lag of the machine's clock, in ms, that is taken for an ordinary correction and not reported. */
const TOLD_MS = 1500;

/** A clock over these sources. */
export function steadyClock(sources: TimeSources, { notBeforeMs, onBehind }: ClockSetting): SteadyClock {
  const { wallMs, passedMs, after } = sources;
  let lastMs = notBeforeMs;
  let lastPassedMs = passedMs();
  let isBehind = false;
  /** Moves the broker's time forward and returns it; unrounded, since slowed time has fractions of a ms. */
  const advance = (): number => {
    const [wall, passed] = [wallMs(), passedMs()];
    const sinceMs = passed - lastPassedMs;
    const isHopeless = lastMs - wall > HOPELESS_MS;
    lastMs = Math.max(wall, lastMs + (isHopeless ? sinceMs : sinceMs * SLOWED));
    lastPassedMs = passed;
    const behindMs = lastMs - wall;
    if (behindMs > TOLD_MS && !isBehind) onBehind(behindMs);
    if (behindMs > TOLD_MS || behindMs === 0) isBehind = behindMs > 0;
    return lastMs;
  };
  const nowMs = (): number => Math.floor(advance());
  return {
    nowMs,
    aheadMs: () => Math.max(0, Math.floor(advance() - wallMs())),
    wakeAt(atMs, call) {
      let cancel = (): void => {};
      const wait = (): void => {
        const leftMs = Math.max(0, Math.ceil(atMs - nowMs()));
        cancel = after(Math.min(leftMs, NOTICED_MS), () => {
          if (nowMs() >= atMs) call();
          else wait();
        });
      };
      wait();
      return () => cancel();
    },
  };
}

/** Kinds of events whose time was read from a site's clock, which may differ from the broker's. */
const REPORTED: ReadonlySet<string> = new Set(["attemptRunning", "attemptEnded", "posted"]);
/** Number of last events that are read; nearly always the broker itself dated one of them. */
const LAST_EVENTS = 1000;

/** The broker's time at the end of a log, by the last events that it dated itself; 0 where there is none. */
export async function lastEventMs(logbook: Pick<Logbook, "head" | "events">): Promise<number> {
  const { seq } = await logbook.head();
  let lastMs = 0;
  let reportedMs = 0;
  for await (const { kind, atMs } of logbook.events(Math.max(1, seq - LAST_EVENTS + 1))) {
    if (REPORTED.has(kind)) reportedMs = atMs;
    else lastMs = Math.max(lastMs, atMs);
  }
  return lastMs === 0 ? reportedMs : lastMs;
}

/** The machine's own clock and timers. */
export const thisMachinesTime: TimeSources = {
  wallMs: () => Date.now(),
  passedMs: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock of this machine for what has no earlier run. */
export const systemClock: Clock = steadyClock(thisMachinesTime, { notBeforeMs: 0, onBehind: () => {} });
