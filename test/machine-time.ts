/**
 * The time of a machine for tests: it passes when told, and the clock can be set.
 */
import type { TimeSources } from "../src/broker/steady-clock.ts";

/** A machine's time, with a hand at its clock. */
export interface MachineTime {
  readonly sources: TimeSources;
  /** Lets time pass, ringing what is due on the way. */
  pass(ms: number): void;
  /** Sets the clock forward, or back. */
  step(byMs: number): void;
  wallMs(): number;
}

/** A machine whose clock shows `startMs`. */
export function machineTime(startMs: number): MachineTime {
  let wall = startMs;
  let passed = 1000;
  const alarms = new Set<{ readonly at: number; readonly call: () => void }>();
  const sources: TimeSources = {
    wallMs: () => wall,
    passedMs: () => passed,
    after: (ms, call) => {
      const alarm = { at: passed + ms, call };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
  };
  const pass = (ms: number): void => {
    const until = passed + ms;
    for (;;) {
      const next = [...alarms].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      alarms.delete(next);
      wall += Math.max(0, next.at - passed);
      passed = Math.max(passed, next.at);
      next.call();
    }
    wall += until - passed;
    passed = until;
  };
  const step = (byMs: number): void => {
    wall += byMs;
  };
  return { sources, pass, step, wallMs: () => wall };
}
