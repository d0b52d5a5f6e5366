import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/property-seed.ts";
import { plainVirtualReservation } from "../../test/plain/plain-var.ts";
import { VIRTUAL_RULES, virtualReservation } from "./index.ts";

const MINUTE = 60_000;
const rules = { ...VIRTUAL_RULES, stepMs: MINUTE };

describe("virtual reservations", () => {
  it.each([
    ["S in 240 min, D = 60, most probable at 110 min: 190 min", 60, 110, 190],
    ["S in 240 min, D = 240, most probable at once: 480 min", 240, 0, 480],
  ])("PL-1 PL-2 the worked cases of the source: %s", (_, duration, peak, wallTime) => {
    const nowMs = 7 * MINUTE;
    const wanted = { procs: 64, startMs: nowMs + 240 * MINUTE, durationMs: duration * MINUTE };
    const said = virtualReservation(
      wanted,
      nowMs,
      (atMs) => 0.9 - Math.abs(atMs - nowMs - peak * MINUTE) / 1e9,
    );
    expect(said).toMatchObject({
      ok: true,
      value: { submitMs: nowMs + peak * MINUTE, wallTimeMs: wallTime * MINUTE },
    });
  });

  it("PL-2 of equal ones the first, in steps of 30 s from now, each asked for once", () => {
    const asked: [number, number][] = [];
    const wanted = { procs: 2, startMs: 100_000, durationMs: 50_000 };
    const said = virtualReservation(wanted, 10_000, (...one) => asked.push(one) && 0.5);
    expect(asked).toEqual([
      [10_000, 140_000],
      [40_000, 110_000],
      [70_000, 80_000],
    ]);
    expect(said).toEqual({
      ok: true,
      value: { submitMs: 10_000, wallTimeMs: 140_000, probability: 0.5, mostIdleProcMs: 180_000 },
    });
  });

  it("PL-2 only instants whose limit the site allows", () => {
    const wanted = { procs: 1, startMs: 10 * MINUTE, durationMs: 20 * MINUTE };
    const said = virtualReservation(wanted, 0, (atMs) => 1 - atMs / 1e9, {
      ...rules,
      maxWallTimeMs: 24 * MINUTE,
    });
    expect(said).toMatchObject({ value: { submitMs: 6 * MINUTE, wallTimeMs: 24 * MINUTE } });
  });

  it("the last instant with a sufficient probability is taken, else the most probable one", () => {
    const wanted = { procs: 1, startMs: 60 * MINUTE, durationMs: 20 * MINUTE };
    const at = (enough: number) =>
      virtualReservation(wanted, 0, (atMs) => 0.97 - atMs / (100 * MINUTE), { ...rules, enough });
    expect(at(0.795)).toMatchObject({ value: { submitMs: 17 * MINUTE } });
    expect(at(0.99)).toMatchObject({ value: { submitMs: 0, probability: 0.97 } });
  });

  it("the plan states the most that the job can idle", () => {
    const wanted = { procs: 3, startMs: 4 * MINUTE, durationMs: MINUTE };
    const said = virtualReservation(wanted, 0, (atMs) => (atMs === 2 * MINUTE ? 1 : 0), rules);
    expect(said).toMatchObject({ value: { submitMs: 2 * MINUTE, mostIdleProcMs: 3 * 2 * MINUTE } });
  });

  it("there is no plan for a start in the past, nor where the site allows no such walltime", () => {
    const wanted = { procs: 1, startMs: 5 * MINUTE, durationMs: 20 * MINUTE };
    expect(virtualReservation(wanted, 5 * MINUTE, () => 1)).toEqual({
      ok: false,
      refusal: { kind: "startsInPast", startMs: 5 * MINUTE, nowMs: 5 * MINUTE },
    });
    expect(virtualReservation(wanted, 0, () => 1, { ...rules, maxWallTimeMs: 20 * MINUTE })).toEqual({
      ok: false,
      refusal: { kind: "wallTimeTooLong", wallTimeMs: 21 * MINUTE, mostMs: 20 * MINUTE },
    });
  });

  it("PL-1 PL-2 equal the plain version", () => {
    const time = fc.integer({ min: 0, max: 60 });
    const asked = fc.record({
      now: time,
      ahead: fc.integer({ min: -3, max: 40 }),
      duration: fc.integer({ min: 1, max: 30 }),
      step: fc.integer({ min: 1, max: 9 }),
      most: fc.option(fc.integer({ min: 1, max: 70 }), { nil: Number.POSITIVE_INFINITY }),
      enough: fc.option(fc.constantFrom(0.25, 0.5, 0.75), { nil: null }),
      draws: fc.array(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), { minLength: 101, maxLength: 101 }),
    });
    fc.assert(
      fc.property(asked, ({ now, ahead, duration, step, most, enough, draws }) => {
        const start = now + ahead;
        const chance = (submit: number, limit: number) => draws[(submit * 7 + limit) % draws.length];
        const plain = plainVirtualReservation({ now, start, duration, step, most, enough }, chance);
        const wanted = { procs: 3, startMs: start, durationMs: duration };
        const said = virtualReservation(wanted, now, chance, { maxWallTimeMs: most, stepMs: step, enough });
        const ours = said.ok
          ? { submit: said.value.submitMs, limit: said.value.wallTimeMs, probability: said.value.probability }
          : undefined;
        expect(ours).toEqual(plain);
        if (!said.ok) return;
        expect(said.value.submitMs + said.value.wallTimeMs).toBe(start + duration);
        expect(said.value.mostIdleProcMs).toBe(3 * (start - said.value.submitMs));
      }),
    );
  });
});
