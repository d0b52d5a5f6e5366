import { describe, expect, it } from "vitest";
import { gammaIntegral } from "../../../test/gamma-integral.ts";
import { createRandom } from "../../base/index.ts";
import { gammaSampler } from "./lublin.ts";

const DRAWS = 100_000;

function drawn(shape: number, scale: number): Float64Array {
  const sample = gammaSampler(shape, scale);
  const random = createRandom(7);
  return Float64Array.from({ length: DRAWS }, () => sample(random)).sort();
}

describe("draws from a gamma distribution", () => {
  it.each([
    [0.4, 2],
    [1, 3],
    [4.2, 0.94],
    [312, 0.03],
  ])("draws have the mean and variance of shape %d and scale %d", (shape, scale) => {
    const values = drawn(shape, scale);
    const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / DRAWS;
    expect(mean / (shape * scale)).toBeCloseTo(1, 1.5);
    expect(variance / (shape * scale * scale)).toBeCloseTo(1, 1);
  });

  it.each([
    [1.5, 2],
    [4.2, 0.94],
    [312, 0.03],
  ])("draws are distributed as the density of shape %d and scale %d", (shape, scale) => {
    const values = drawn(shape, scale);
    for (const q of [0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) {
      const value = values[Math.floor(q * DRAWS)];
      expect(Math.abs(gammaIntegral([shape, scale], () => 1, value) - q)).toBeLessThan(0.006);
    }
  });
});
