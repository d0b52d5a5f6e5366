import { describe, expect, it } from "vitest";
import { machineTime } from "../../test/machine-time.ts";
import { steadyClock } from "./steady-clock.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

const beginning = { notBeforeMs: 0, onBehind: () => {} };
const STEPS = [2000, 60_000, HOUR, 10 * YEAR].flatMap((ms) => [ms, -ms]);

describe("a steady clock", () => {
  it("is the machine's, to the millisecond, as long as that is not put back", () => {
    const { sources, pass, wallMs } = machineTime(START);
    const clock = steadyClock(sources, beginning);
    for (let turn = 0; turn < 100; turn++) {
      pass(turn * 37);
      expect(clock.nowMs()).toBe(wallMs());
    }
    expect(clock.aheadMs()).toBe(0);
  });

  it.each(STEPS)("never goes back and never stops where the machine's leaps by %d ms", (step) => {
    const told: number[] = [];
    const source = machineTime(START);
    const clock = steadyClock(source.sources, { notBeforeMs: 0, onBehind: (ms) => told.push(ms) });
    source.pass(5000);
    const before = clock.nowMs();
    source.step(step);
    expect(clock.nowMs()).toBe(step > 0 ? before + step : before);
    source.pass(16_000);
    expect(clock.nowMs() - before - Math.max(0, step)).toBeGreaterThanOrEqual(15_000);
    expect(told).toEqual(step > 0 ? [] : [-step]);
  });

  it.each(STEPS)("rings an alarm when its time has come, though the machine's leaps by %d ms", (step) => {
    const source = machineTime(START);
    const clock = steadyClock(source.sources, beginning);
    const rung: number[] = [];
    const dueMs = clock.nowMs() + 30_000;
    clock.wakeAt(dueMs, () => rung.push(clock.nowMs()));
    source.pass(5000);
    source.step(step);
    source.pass(35_000);
    expect(rung.length).toBe(1);
    expect(rung[0]).toBeGreaterThanOrEqual(dueMs);
    if (step < 0) expect(rung[0]).toBe(dueMs);
  });

  it("catches up with the machine's, in sixteen times what that was put back by", () => {
    const source = machineTime(START);
    const clock = steadyClock(source.sources, beginning);
    clock.nowMs();
    source.step(-60_000);
    source.pass(15 * 60_000);
    expect(clock.aheadMs()).toBeGreaterThan(0);
    source.pass(60_000);
    expect(clock.aheadMs()).toBe(0);
    source.pass(1000);
    expect(clock.nowMs()).toBe(source.wallMs());
  });

  it("is set right at once where the machine's is", () => {
    const source = machineTime(START);
    const clock = steadyClock(source.sources, beginning);
    clock.nowMs();
    source.step(-10 * YEAR);
    source.pass(60_000);
    expect(clock.nowMs()).toBe(START + 60_000);
    source.step(10 * YEAR);
    source.pass(1);
    expect(clock.nowMs()).toBe(START + 60_001);
  });

  it("begins no earlier than the last event, and tells by how much the machine's is behind", () => {
    const told: number[] = [];
    const source = machineTime(START);
    const notBeforeMs = START + 10 * YEAR;
    const clock = steadyClock(source.sources, { notBeforeMs, onBehind: (ms) => told.push(ms) });
    expect(clock.nowMs()).toBe(notBeforeMs);
    source.pass(1000);
    // So far behind that nobody would live to see it caught up: time passes as it does.
    expect(clock.nowMs()).toBe(notBeforeMs + 1000);
    expect(told).toEqual([10 * YEAR]);
  });

  it("takes a leap second, and corrections of milliseconds, without a word", () => {
    const told: number[] = [];
    const source = machineTime(START);
    const clock = steadyClock(source.sources, { notBeforeMs: 0, onBehind: (ms) => told.push(ms) });
    let before = clock.nowMs();
    for (const step of [-1000, -3, 2, -1, 1000]) {
      source.step(step);
      source.pass(100);
      expect(clock.nowMs()).toBeGreaterThan(before);
      before = clock.nowMs();
    }
    source.pass(20_000);
    expect(clock.nowMs()).toBe(source.wallMs());
    expect(told).toEqual([]);
  });

  it("an alarm that was called off does not ring, whenever that was", () => {
    const source = machineTime(START);
    const clock = steadyClock(source.sources, beginning);
    const cancel = clock.wakeAt(clock.nowMs() + 30_000, () => expect.unreachable());
    source.pass(15_000);
    cancel();
    source.pass(60_000);
  });
});
