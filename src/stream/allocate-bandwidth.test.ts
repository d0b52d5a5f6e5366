import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { type PlainSession, plainBestUtility, plainGreedyRates } from "../../test/plain/plain-streams.ts";
import { createRandom } from "../base/index.ts";
import { allocateBandwidth, type Session, type Utility, utilityOf } from "./index.ts";

const log = (weight: number, minBytesPerSec = 1, maxBytesPerSec = 100): Session => ({
  ...{ minBytesPerSec, maxBytesPerSec },
  utility: { kind: "log", weight, unitBytesPerSec: 1 },
});
const ratesOf = (sessions: readonly Session[], inboundBytesPerSec = 100) =>
  allocateBandwidth(sessions, { inboundBytesPerSec }).bytesPerSec.map((rate) => Number(rate.toFixed(6)));
const plainOf = ({ minBytesPerSec, maxBytesPerSec, utility }: Session): PlainSession => ({
  ...{ least: minBytesPerSec, most: maxBytesPerSec },
  utility: (rate) => utilityOf(utility, rate),
});
const total = (rates: readonly number[]) => rates.reduce((sum, rate) => sum + rate, 0);

const fraction = fc.integer({ min: 0, max: 1000 }).map((parts) => parts / 1000);
const weight = fc.integer({ min: 1, max: 5 });
const concave: fc.Arbitrary<Utility> = fc
  .tuple(fc.constantFrom("log", "alpha", "linear"), weight, fc.constantFrom(0.5, 1, 2, 3))
  .map(([kind, w, a]): Utility => {
    const scale = { weight: w, unitBytesPerSec: 1 };
    return kind === "alpha" ? { kind, a, ...scale } : { kind: kind === "log" ? "log" : "linear", ...scale };
  });
const anyShape: fc.Arbitrary<Utility> = fc.oneof(
  concave,
  fc
    .tuple(weight, fraction)
    .map(
      ([w, part]): Utility => ({ kind: "sigmoid", weight: w, unitBytesPerSec: 1, k: 1, x0: 2 + 8 * part }),
    ),
  fc
    .tuple(weight, fraction)
    .map(([w, part]): Utility => ({ kind: "step", weight: w, unitBytesPerSec: 1, x0: 2 + 8 * part })),
);
const sessionsOf = (utility: fc.Arbitrary<Utility>, most: number) =>
  fc.array(
    fc.tuple(fraction, fraction, utility).map(
      ([least, more, its]): Session => ({
        ...{ minBytesPerSec: 1 + 4 * least, maxBytesPerSec: (1 + 4 * least) * (1 + 4 * more), utility: its },
      }),
    ),
    { minLength: 1, maxLength: most },
  );
/** The link between the sum of the minima and twice that. */
const inboundOf = (sessions: readonly Session[], part: number) =>
  total(sessions.map(({ minBytesPerSec }) => minBytesPerSec)) * (1.05 + part);

describe("bandwidth of concave utilities", () => {
  it("STR-10 the worked figures", () => {
    expect(ratesOf([log(1), log(3)])).toEqual([24.5, 75.5]);
    expect(ratesOf([log(1), log(3, 1, 60)])).toEqual([40, 60]);
    expect(ratesOf([log(1, 30), log(3)])).toEqual([30, 70]);
  });

  it("STR-10 α-fair rates are in the proportion w^(1/a); linear ones are served by weight", () => {
    const alpha = (w: number): Session => ({
      ...{ minBytesPerSec: 1, maxBytesPerSec: 100 },
      utility: { kind: "alpha", a: 2, weight: w, unitBytesPerSec: 1 },
    });
    expect(ratesOf([alpha(1), alpha(9)], 40)).toEqual([10, 30]);
    const linear = (w: number, most: number): Session => ({
      ...{ minBytesPerSec: 1, maxBytesPerSec: most },
      utility: { kind: "linear", weight: w, unitBytesPerSec: 1 },
    });
    expect(ratesOf([linear(1, 50), linear(3, 60), linear(2, 50)])).toEqual([1, 60, 39]);
    // Equal weights share in proportion to what they could have above their minima.
    expect(ratesOf([linear(1, 11), linear(1, 21)], 23)).toEqual([8, 15]);
  });

  it("STR-10 rates keep their bounds, fill the link, and no small part is better elsewhere", () => {
    fc.assert(
      fc.property(sessionsOf(concave, 12), fraction, (sessions, part) => {
        const inboundBytesPerSec = inboundOf(sessions, part);
        const { bytesPerSec, utility, method } = allocateBandwidth(sessions, { inboundBytesPerSec });
        expect(method).toBe("exact");
        const most = total(sessions.map(({ maxBytesPerSec }) => maxBytesPerSec));
        const sum = total(bytesPerSec);
        expect(sum).toBeLessThanOrEqual(inboundBytesPerSec * (1 + 1e-12));
        expect(sum).toBeGreaterThan(Math.min(most, inboundBytesPerSec) * (1 - 1e-9));
        for (const [at, { minBytesPerSec, maxBytesPerSec }] of sessions.entries()) {
          expect(bytesPerSec[at]).toBeGreaterThanOrEqual(minBytesPerSec * (1 - 1e-9));
          expect(bytesPerSec[at]).toBeLessThanOrEqual(maxBytesPerSec * (1 + 1e-9));
        }
        const plain = plainGreedyRates(sessions.map(plainOf), inboundBytesPerSec, 400);
        const reached = total(plain.map((rate, at) => utilityOf(sessions[at].utility, rate)));
        expect(utility).toBeGreaterThanOrEqual(reached - 1e-9 * Math.abs(reached));
      }),
      draws(500),
    );
  });

  it("STR-11 a halted session has nothing, and the others share the whole link", () => {
    const halted = { ...log(3), isHalted: true };
    expect(ratesOf([log(1), halted, log(1)])).toEqual([50, 0, 50]);
    expect(ratesOf([halted])).toEqual([0]);
  });

  it("STR-11 where the link falls below the minima each has its part of them", () => {
    const sessions = [log(1, 30), log(5, 90)];
    const { bytesPerSec, method, shortfallBytesPerSec } = allocateBandwidth(sessions, {
      inboundBytesPerSec: 60,
    });
    expect([bytesPerSec, method, shortfallBytesPerSec]).toEqual([[15, 45], "scaled", 60]);
  });
});

describe("bandwidth by the genetic algorithm", () => {
  it("STR-12 within 1 % of the exact optimum without its seed", () => {
    fc.assert(
      fc.property(sessionsOf(concave, 20), fraction, fc.integer(), (sessions, part, seed) => {
        const inboundBytesPerSec = inboundOf(sessions, part);
        const exact = allocateBandwidth(sessions, { inboundBytesPerSec }).utility;
        const { utility, method, bytesPerSec } = allocateBandwidth(sessions, {
          ...{ inboundBytesPerSec, method: "genetic", random: createRandom(seed) },
          genetic: { isEnvelopeSeeded: false },
        });
        expect(method).toBe("genetic");
        expect(total(bytesPerSec)).toBeLessThanOrEqual(inboundBytesPerSec * (1 + 1e-9));
        expect(utility).toBeLessThanOrEqual(exact + 1e-9 * Math.abs(exact));
        expect(utility).toBeGreaterThan(exact - 0.01 * Math.max(1, Math.abs(exact)));
      }),
      draws(1000),
    );
  });

  it("STR-12 within 1 % of dynamic programming for utilities of any shape", () => {
    fc.assert(
      fc.property(sessionsOf(anyShape, 8), fraction, fc.integer(), (sessions, part, seed) => {
        const inboundBytesPerSec = inboundOf(sessions, part);
        const best = plainBestUtility(sessions.map(plainOf), inboundBytesPerSec, 1000);
        const { utility } = allocateBandwidth(sessions, { inboundBytesPerSec, random: createRandom(seed) });
        expect(utility).toBeGreaterThan(best - 0.01 * Math.max(1, Math.abs(best)));
      }),
      draws(60),
    );
  });

  it("STR-12 one seed gives one result, and the literal reading keeps the bounds", () => {
    const sessions = [log(1), log(3), log(2, 5, 20)];
    const asked = (seed: number, method: "genetic" | "literal") =>
      allocateBandwidth(sessions, { inboundBytesPerSec: 100, method, random: createRandom(seed) });
    expect(asked(5, "genetic")).toEqual(asked(5, "genetic"));
    const { bytesPerSec, utility } = asked(5, "literal");
    expect(total(bytesPerSec)).toBeLessThanOrEqual(100);
    expect(utility).toBeGreaterThan(0.9 * asked(5, "genetic").utility);
  });
});
