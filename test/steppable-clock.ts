/**
 * A clock that moves only when told, and rings its alarms on the way.
 */
import type { Clock } from "../src/runtime/index.ts";

/** A clock with a hand to move it. */
export interface SteppableClock extends Clock {
  /** Moves to an instant, ringing what is due on the way, in order. */
  moveTo(atMs: number): void;
  /** When the next alarm rings; Infinity where there is none. */
  nextAlarmMs(): number;
}

/** A clock that stands at `startMs`. */
export function steppableClock(startMs: number): SteppableClock {
  let nowMs = startMs;
  const alarms = new Set<{ readonly atMs: number; readonly call: () => void }>();
  const earliest = () =>
    [...alarms].reduce((a, b) => (a === undefined || b.atMs < a.atMs ? b : a), [...alarms][0]);
  return {
    nowMs: () => nowMs,
    wakeAt(atMs, call) {
      const alarm = { atMs, call };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    nextAlarmMs: () => earliest()?.atMs ?? Number.POSITIVE_INFINITY,
    moveTo(atMs) {
      for (let due = earliest(); due !== undefined && due.atMs <= atMs; due = earliest()) {
        alarms.delete(due);
        nowMs = Math.max(nowMs, due.atMs);
        due.call();
      }
      nowMs = Math.max(nowMs, atMs);
    },
  };
}
