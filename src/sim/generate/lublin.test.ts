import { beforeAll, describe, expect, it } from "vitest";
import { gammaIntegral } from "../../../test/gamma-integral.ts";
import { createRandom } from "../../base/index.ts";
import { dailyCycle, lublinModel } from "./lublin.ts";
import { LUBLIN_PARAMETERS } from "./lublin-parameters.ts";
import type { DrawnJob } from "./workload-model.ts";

const JOBS = 200_000;
const PROCS = 128;
const DAY_SEC = 86_400;
const combined = LUBLIN_PARAMETERS.combined;

/** Probability of each size, by a grid over log2 of it: the paper's words, nothing of the code. */
function sizeProbabilities(procs: number): Map<number, number> {
  const { serialProb, pow2Prob, uProb } = combined;
  const high = Math.log2(procs);
  const bend = high - 2.5;
  const cells = 50_000;
  const found = new Map<number, number>([[1, serialProb]]);
  const add = (size: number, share: number) => found.set(size, (found.get(size) ?? 0) + share);
  for (const [from, to, stage] of [
    [0.8, bend, uProb],
    [bend, high, 1 - uProb],
  ]) {
    for (let i = 0; i < cells; i++) {
      const log = from + ((i + 0.5) / cells) * (to - from);
      add(2 ** Math.round(log), (pow2Prob * stage) / cells);
      add(Math.round(2 ** log), ((1 - serialProb - pow2Prob) * stage) / cells);
    }
  }
  return found;
}

describe("the model of Lublin & Feitelson", () => {
  let jobs: DrawnJob[];
  beforeAll(() => {
    const model = lublinModel("combined", PROCS, {});
    const random = createRandom(1);
    jobs = Array.from({ length: JOBS }, () => model.drawJob(random));
  });
  const shareOf = (isMeant: (job: DrawnJob) => boolean): number => jobs.filter(isMeant).length / JOBS;
  const meanOf = (value: (job: DrawnJob) => number, of = jobs): number =>
    of.reduce((sum, job) => sum + value(job), 0) / of.length;

  it("sizes have the two-stage uniform distribution", () => {
    const probabilities = sizeProbabilities(PROCS);
    for (const size of [1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 100, 128]) {
      const expected = probabilities.get(size) ?? 0;
      expect(Math.abs(shareOf(({ procs }) => procs === size) - expected)).toBeLessThan(0.004);
    }
    const mean = [...probabilities].reduce((sum, [size, share]) => sum + size * share, 0);
    expect(meanOf(({ procs }) => procs) / mean).toBeCloseTo(1, 1.7);
    expect(shareOf(({ procs }) => procs === 1)).toBeCloseTo(combined.serialProb, 2);
  });

  it("run times have the hyper-gamma distribution, longer for wider jobs", () => {
    const { a1, b1, a2, b2, pa, pb } = combined;
    const below = (ln: number) =>
      [gammaIntegral([a1, b1], () => 1, ln), gammaIntegral([a2, b2], () => 1, ln)] as const;
    const [short12, long12] = below(12);
    const shareBelow = (ln: number, size: number): number => {
      const p = Math.min(1, Math.max(0, pa * size + pb));
      const [short, long] = below(ln);
      return (p * short + (1 - p) * long) / (p * short12 + (1 - p) * long12);
    };
    for (const size of [1, 16, 128]) {
      const of = jobs.filter(({ procs }) => procs === size);
      for (const ln of [2, 4, 6, 8, 9, 10, 11]) {
        const share = of.filter(({ runtimeSec }) => runtimeSec < Math.exp(ln)).length / of.length;
        expect(Math.abs(share - shareBelow(ln, size))).toBeLessThan(0.03);
      }
    }
    const p1 = pa + pb;
    const work =
      p1 * gammaIntegral([a1, b1], Math.exp, 12) + (1 - p1) * gammaIntegral([a2, b2], Math.exp, 12);
    const serialMean = work / (p1 * short12 + (1 - p1) * long12);
    const serial = jobs.filter(({ procs }) => procs === 1);
    expect(meanOf(({ runtimeSec }) => runtimeSec, serial) / serialMean).toBeCloseTo(1, 1.5);
    expect(Math.max(...serial.map(({ runtimeSec }) => runtimeSec))).toBeLessThanOrEqual(
      Math.round(Math.exp(12)),
    );
    const wide = jobs.filter(({ procs }) => procs === 128);
    expect(meanOf(({ runtimeSec }) => runtimeSec, wide)).toBeGreaterThan(2 * serialMean);
  });

  it("logarithms of gaps are gamma distributed", () => {
    const model = lublinModel("combined", PROCS, {});
    const random = createRandom(2);
    const gaps = Array.from({ length: JOBS }, () => model.drawGap(random));
    const gamma = [combined.aArr * combined.arar, combined.bArr] as const;
    const possible = gammaIntegral(gamma, () => 1, 13);
    for (const ln of [2, 4, 5, 6, 8]) {
      const share = gaps.filter((gap) => gap < Math.exp(ln)).length / JOBS;
      expect(Math.abs(share - gammaIntegral(gamma, () => 1, ln) / possible)).toBeLessThan(0.006);
    }
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / JOBS;
    expect(mean / (gammaIntegral(gamma, Math.exp, 13) / possible)).toBeCloseTo(1, 1.3);
  });

  it("in the daily cycle each hour's share of arrivals is its weight", () => {
    const model = lublinModel("combined", PROCS, {});
    const { weights } = dailyCycle(combined.aNum, combined.bNum);
    const random = createRandom(3);
    const byHalfHour = new Array<number>(48).fill(0);
    let clockSec = 0;
    for (let i = 0; i < JOBS; i++) {
      clockSec += model.drawGap(random);
      byHalfHour[Math.floor((model.secondsAt(clockSec) % DAY_SEC) / 1800)]++;
    }
    byHalfHour.forEach((count, at) => {
      expect(Math.abs(count / JOBS - weights[at] / 48)).toBeLessThan(0.005);
    });
    const busiest = byHalfHour.indexOf(Math.max(...byHalfHour)) / 2;
    expect(busiest).toBeGreaterThan(12);
    expect(busiest).toBeLessThan(15.5);
  });

  it("the weight of each half hour is from the gamma distribution of the cycle", () => {
    const { aNum, bNum } = combined;
    const { weights } = dailyCycle(aNum, bNum);
    const between = (from: number, to: number): number =>
      gammaIntegral([aNum, bNum], () => 1, to) - gammaIntegral([aNum, bNum], () => 1, from);
    const day = between(10.5, 58.5);
    // The 28th half hour begins at 13:30; the 50th is the second of the next day.
    expect(weights[27]).toBeCloseTo((48 * between(27.5, 28.5)) / day, 2);
    expect(weights[1]).toBeCloseTo((48 * between(49.5, 50.5)) / day, 2);
  });

  it("the model's clock has no drift over a day", () => {
    const { secondsAt } = dailyCycle(combined.aNum, combined.bNum);
    expect(secondsAt(0)).toBe(0);
    for (const days of [1, 2, 365]) expect(secondsAt(days * DAY_SEC)).toBeCloseTo(days * DAY_SEC, 3);
    let before = -1;
    for (let clockSec = 0; clockSec < 2 * DAY_SEC; clockSec += 500) {
      expect(secondsAt(clockSec)).toBeGreaterThan(before);
      before = secondsAt(clockSec);
    }
  });

  it.each(["combined", "batch", "interactive"] as const)(
    "no job drawn from %s is wider than the machine",
    (set) => {
      for (const procs of [1, 2, 3, 5, 100, 430, 100_000]) {
        const model = lublinModel(set, procs, {});
        const random = createRandom(procs);
        const drawn = Array.from({ length: 2000 }, () => model.drawJob(random));
        const isPossible = (job: DrawnJob): boolean =>
          [job.procs, job.runtimeSec].every(Number.isInteger) &&
          job.procs >= 1 &&
          job.procs <= procs &&
          job.runtimeSec >= 1;
        expect(drawn.filter((job) => !isPossible(job))).toEqual([]);
      }
    },
  );

  it("refuses unknown and impossible parameters", () => {
    expect(() => lublinModel("combined", 8, { serialProp: 0.1 })).toThrow(
      expect.objectContaining({ code: "parameterUnknown", remedy: "did you mean serialProb?" }),
    );
    expect(() => lublinModel("combined", 8, { serialProb: 0.9 })).toThrow(
      expect.objectContaining({ code: "parameterOutOfRange" }),
    );
    expect(() => lublinModel("combined", 8, { a1: 1000 })).toThrow(
      expect.objectContaining({ code: "parameterOutOfRange" }),
    );
  });
});
