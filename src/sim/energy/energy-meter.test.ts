import "../../../test/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PowerModel } from "../../model/index.ts";
import { type BusyRun, energyOf } from "./energy-meter.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const PROCS = 4;

const drawnRuns = fc
  .array(
    fc.record({
      startSec: fc.nat(40),
      lengthSec: fc.integer({ min: 1, max: 9 }),
      procs: fc.integer({ min: 1, max: PROCS }),
    }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map((drawn) => {
    const runs: BusyRun[] = [];
    for (const { startSec, lengthSec, procs } of drawn) {
      const run = { procs, startMs: startSec * SECOND, endMs: (startSec + lengthSec) * SECOND };
      if (isPossible([...runs, run])) runs.push(run);
    }
    return runs;
  });

function isPossible(runs: readonly BusyRun[]): boolean {
  return runs.every(({ startMs }) => {
    const busy = runs.filter((one) => one.startMs <= startMs && one.endMs > startMs);
    return busy.reduce((sum, { procs }) => sum + procs, 0) <= PROCS;
  });
}

const drawnModel: fc.Arbitrary<PowerModel> = fc.record({
  idleWatts: fc.nat(200),
  busyWatts: fc.integer({ min: 1, max: 400 }),
  offAfterMs: fc.nat(6).map((sec) => sec * SECOND),
  offWatts: fc.nat(10),
  bootMs: fc.nat(5).map((sec) => sec * SECOND),
});

/** Follows each processor second by second: watt-seconds, and how often one was switched on. */
function plainly(
  model: PowerModel,
  runs: readonly BusyRun[],
): { readonly joules: number; readonly boots: number } {
  const lastSec = Math.max(...runs.map(({ endMs }) => endMs)) / SECOND;
  const processors = Array.from({ length: PROCS }, () => ({ idleSec: 0, busyUntilSec: 0 }));
  const offAfterSec = (model.offAfterMs ?? Number.POSITIVE_INFINITY) / SECOND;
  let joules = 0;
  let boots = 0;
  for (let sec = 0; sec < lastSec; sec++) {
    for (const { procs, endMs } of runs.filter(({ startMs }) => startMs === sec * SECOND)) {
      const free = processors.filter(({ busyUntilSec }) => busyUntilSec <= sec);
      const latest = free.toSorted((one, other) => one.idleSec - other.idleSec).slice(0, procs);
      expect(latest).toHaveLength(procs);
      for (const processor of latest) {
        if (processor.idleSec > offAfterSec) {
          boots++;
          // The boot took the place of the last seconds that it was off, as far as there were any.
          const offSec = processor.idleSec - offAfterSec;
          joules += (model.bootMs / SECOND) * model.busyWatts;
          joules -= Math.min(offSec, model.bootMs / SECOND) * model.offWatts;
        }
        processor.idleSec = 0;
        processor.busyUntilSec = endMs / SECOND;
      }
    }
    for (const processor of processors) {
      if (processor.busyUntilSec > sec) joules += model.busyWatts;
      else {
        joules += processor.idleSec < offAfterSec ? model.idleWatts : model.offWatts;
        processor.idleSec++;
      }
    }
  }
  return { joules, boots };
}

describe("SI-88 energy", () => {
  // From 0 to 2 h: two of four processors are busy in the second hour.
  it.each([
    { case: "six idle and two busy processor-hours", model: {}, kwh: 0.6 + 0.4, boots: 0 },
    { case: "the unused off after an hour", model: { offAfterMs: HOUR }, kwh: 0.4 + 0.4, boots: 0 },
    { case: "all off and two booted", model: { offAfterMs: 0, bootMs: HOUR / 2 }, kwh: 0.4 + 0.2, boots: 2 },
  ])("is that of a small schedule: $case", ({ model, kwh, boots }) => {
    const watts = { idleWatts: 100, busyWatts: 200, offWatts: 0, bootMs: 0, ...model };
    const found = energyOf(watts, 4, [{ procs: 2, startMs: HOUR, endMs: 2 * HOUR }]);
    expect(found.boots).toBe(boots);
    expect(found.totalKwh).toBeCloseTo(kwh, 9);
    expect(found.kwhPerProcHour).toBeCloseTo(kwh / 2, 9);
  });

  it("equals that of processors followed second by second", () => {
    fc.assert(
      fc.property(drawnRuns, drawnModel, (runs, model) => {
        const found = energyOf(model, PROCS, runs);
        const { joules, boots } = plainly(model, runs);
        expect(found.boots).toBe(boots);
        expect(found.totalKwh * 3.6e6).toBeCloseTo(joules, 6);
      }),
    );
  });

  it("processor-time is complete where nothing is switched off", () => {
    fc.assert(
      fc.property(drawnRuns, (runs) => {
        const one = { idleWatts: 1000, busyWatts: 1000, offWatts: 0, bootMs: 0 };
        const lastMs = Math.max(...runs.map(({ endMs }) => endMs));
        expect(energyOf(one, PROCS, runs).totalKwh).toBeCloseTo((PROCS * lastMs) / HOUR, 12);
      }),
    );
  });
});
