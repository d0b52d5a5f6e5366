import { describe, expect, it } from "vitest";
import { studentT } from "./student-t.ts";

describe("quantiles of Student's t", () => {
  // As printed in statistical tables, to all their digits.
  it.each([
    [0.95, 1, 12.7062],
    [0.95, 2, 4.30265],
    [0.95, 3, 3.18245],
    [0.95, 4, 2.77645],
    [0.95, 5, 2.57058],
    [0.95, 9, 2.26216],
    [0.95, 10, 2.22814],
    [0.95, 29, 2.04523],
    [0.95, 30, 2.04227],
    [0.95, 100, 1.98397],
    [0.9, 1, 6.31375],
    [0.9, 7, 1.89458],
    [0.99, 2, 9.92484],
    [0.99, 9, 3.24984],
    [0.999, 4, 8.6103],
  ])("SI-32 P(|T| < t) = %f with %i degrees of freedom at %f", (probability, degrees, t) => {
    expect(studentT(probability, degrees) / t).toBeCloseTo(1, 5);
  });

  it("SI-32 has closed forms for one and two degrees of freedom", () => {
    for (const p of [0.1, 0.5, 0.8, 0.95, 0.99]) {
      expect(studentT(p, 1)).toBeCloseTo(Math.tan((Math.PI * p) / 2), 9);
      expect(studentT(p, 2)).toBeCloseTo(p * Math.sqrt(2 / (1 - p * p)), 9);
    }
  });

  it("SI-32 approaches the normal distribution's 1.959964 with many", () => {
    expect(studentT(0.95, 100_000)).toBeCloseTo(1.959964, 4);
  });
});
