/** Bounds and change points of one class, against the plain version. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import {
  type PlainObservation,
  plainBmbp,
  plainLowerBound,
  plainUpperBound,
} from "../../test/plain/plain-bmbp.ts";
import { createRandom, drawFraction } from "../base/index.ts";
import { countAtMost, createSample, insertInto, kthSmallest, removeFrom, sizeOf } from "./ordered-sample.ts";
import {
  changeBound,
  createSeries,
  lowerBound,
  observeOverdue,
  observeStart,
  probabilityWithin,
  RARE_RUNS,
  recentWaits,
  upperBound,
  type WaitSeries,
} from "./wait-series.ts";

const ASSURANCE = { quantile: 0.95, confidence: 0.95 };

const seriesOf = (waitsMs: readonly number[]): WaitSeries => {
  const series = createSeries();
  for (const waitMs of waitsMs) observeStart(series, waitMs);
  return series;
};
/** 1 … n minutes in a scrambled, fixed order. */
const spread = (n: number): number[] => Array.from({ length: n }, (_, i) => (((i * 37) % n) + 1) * 60_000);

/** Long quiet times, sometimes a new level of waits, and a few jobs that still wait. */
const observations = fc
  .array(
    fc.record({
      level: fc.constantFrom(1, 1, 30, 1000),
      of: fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 19 })), {
        minLength: 1,
        maxLength: 70,
      }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((stretches) =>
    stretches.flatMap(({ level, of }) =>
      of.map(
        ([waitMs, kind]): PlainObservation =>
          kind === 0
            ? { kind: "overdue" }
            : { kind: "started", waitMs: waitMs * level, wasOverdue: kind === 1 },
      ),
    ),
  );

describe("a class's waits", () => {
  it("give, after any history, what sorting everything again gives", () => {
    fc.assert(
      fc.property(observations, (history) => {
        const series = createSeries();
        const seen: PlainObservation[] = [];
        for (const observation of history) {
          // No job is overdue while there is no bound.
          if (observation.kind === "overdue" && changeBound(series) === undefined) continue;
          seen.push(observation);
          if (observation.kind === "overdue") observeOverdue(series);
          else observeStart(series, observation.waitMs, observation.wasOverdue);
        }
        const plain = plainBmbp(seen, RARE_RUNS);
        expect(recentWaits(series)).toEqual(plain.waitsMs);
        expect([series.run, series.changePoints]).toEqual([plain.run, plain.changePoints]);
        for (const [q, c] of [
          [950, 950],
          [500, 800],
          [100, 950],
        ]) {
          const assurance = { quantile: q / 1000, confidence: c / 1000 };
          expect(upperBound(series, assurance)).toBe(plainUpperBound(plain.waitsMs, q, c));
          expect(lowerBound(series, assurance)).toBe(plainLowerBound(plain.waitsMs, q, c));
        }
      }),
      draws(60),
    );
  });

  it("PD-1 have a bound from 59 waits on, at first the largest of them", () => {
    expect(upperBound(seriesOf(spread(58)), ASSURANCE)).toBeUndefined();
    expect(upperBound(seriesOf(spread(59)), ASSURANCE)).toBe(59 * 60_000);
    expect(upperBound(seriesOf(spread(100)), ASSURANCE)).toBe(99 * 60_000);
    expect(lowerBound(seriesOf(spread(100)), { quantile: 0.05, confidence: 0.95 })).toBe(2 * 60_000);
  });

  it("give the probability of a start within a deadline, whose bound is within the deadline", () => {
    const series = seriesOf(spread(100));
    expect(probabilityWithin(series, 0, 0.95)).toBe(0);
    const quantile = probabilityWithin(series, 80 * 60_000, 0.95);
    expect(quantile).toBeGreaterThan(0.7);
    expect(quantile).toBeLessThan(0.8);
    expect(upperBound(series, { quantile: quantile - 1e-9, confidence: 0.95 })).toBe(80 * 60_000);
    expect(upperBound(series, { quantile: quantile + 1e-6, confidence: 0.95 })).toBe(81 * 60_000);
    expect(probabilityWithin(createSeries(), 1000, 0.95)).toBe(0);
  });

  it("have a change point after three in a row beyond the bound, not after two", () => {
    const series = seriesOf(spread(200));
    const hour = 3_600_000;
    for (const waitMs of [10 * hour, 10 * hour, 60_000, 10 * hour, 10 * hour]) observeStart(series, waitMs);
    expect(series.changePoints).toBe(0);
    observeStart(series, 10 * hour);
    expect(series.changePoints).toBe(1);
    expect(recentWaits(series)).toHaveLength(59);
    expect(upperBound(series, ASSURANCE)).toBe(10 * hour);
  });

  it("need a longer run for a change point where they are correlated", () => {
    const inOrder = Array.from({ length: 200 }, (_, i) => 60_000 * (1 + Math.abs(100 - i)));
    const series = seriesOf(inOrder);
    const before = series.changePoints;
    for (let i = 0; i < 8; i++) observeStart(series, 36_000_000);
    expect(series.changePoints).toBe(before);
  });

  it("include jobs that still wait beyond the bound, each once", () => {
    const series = seriesOf(spread(200));
    observeOverdue(series);
    observeOverdue(series);
    observeStart(series, 36_000_000, true);
    expect(series.changePoints).toBe(0);
    observeOverdue(series);
    expect(series.changePoints).toBe(1);
  });

  it("have the run lengths of a simulated series", () => {
    expect(tabulateRareRuns()).toEqual(RARE_RUNS);
  });

  it("drop the oldest beyond 20,000", () => {
    const series = createSeries();
    for (let i = 0; i < 20_100; i++) observeStart(series, (i * 7919) % 10_007);
    expect(sizeOf(series.sample)).toBe(20_000);
    const plain = Array.from({ length: 20_000 }, (_, i) => ((i + 100) * 7919) % 10_007);
    expect(recentWaits(series)).toEqual(plain);
    const sorted = [...plain].sort((a, b) => a - b);
    expect(kthSmallest(series.sample, 777)).toBe(sorted[776]);
  });
});

describe("a sorted sample", () => {
  it("is an array that is sorted after every change", () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 150 }), (changes) => {
        const sample = createSample();
        let plain: number[] = [];
        for (const [isNew, value] of changes) {
          if (isNew) {
            insertInto(sample, value);
            plain = [...plain, value].sort((a, b) => a - b);
          } else if (plain.includes(value)) {
            removeFrom(sample, value);
            plain.splice(plain.indexOf(value), 1);
          }
          expect(sizeOf(sample)).toBe(plain.length);
          expect(countAtMost(sample, value)).toBe(plain.filter((it) => it <= value).length);
        }
        expect(plain.map((_, i) => kthSmallest(sample, i + 1))).toEqual(plain);
      }),
      draws(100),
    );
  });
});

/** The tabulation that wait-series.ts describes. */
function tabulateRareRuns(): number[] {
  const steps = 1_000_000;
  const threshold = 1.6448536269514722;
  const random = createRandom(2026);
  const deviates = new Float64Array(steps);
  for (let i = 0; i < steps; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(random)));
    const angle = 2 * Math.PI * drawFraction(random);
    deviates[i] = radius * Math.cos(angle);
    deviates[i + 1] = radius * Math.sin(angle);
  }
  return RARE_RUNS.map((_, step) => {
    const rho = step / 20;
    const scale = Math.sqrt(1 - rho * rho);
    const runs: number[] = [];
    let x = deviates[0];
    let run = 0;
    for (let i = 1; i < steps; i++) {
      if (x > threshold) {
        run++;
      } else {
        if (run > 0) runs.push(run);
        run = 0;
      }
      x = rho * x + scale * deviates[i];
    }
    let length = 1;
    while (runs.filter((it) => it >= length).length > 0.01 * runs.length) length++;
    return length;
  });
}
