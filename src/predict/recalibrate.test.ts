import { describe, expect, it } from "vitest";
import { addLateness, emptyLateness, stretched } from "./recalibrate.ts";
import {
  createScores,
  type Forecast,
  type Place,
  recordForecasts,
  scoreForecasts,
  withScore,
} from "./scores.ts";

const MINUTE = 60_000;
const here: Place = { site: "hpc", waitClass: "all" };
const said: Forecast<"schedule"> = {
  method: "schedule",
  promises: [0.5, 0.95].map((probability) => ({ probability, waitMs: 10 * MINUTE })),
};

/** Scores of a method that always forecasts ten minutes, for jobs with these waits, one after the other. */
function played(waits: readonly number[], isRecalibrated: boolean, place = here) {
  const book = createScores({ toleranceMs: 15_000, isRecalibrated });
  for (const [id, waitMs] of waits.entries()) {
    recordForecasts(book, place, String(id), [said]);
    scoreForecasts(book, place.site, String(id), waitMs);
  }
  return book;
}

describe("PD-24 a recalibrated forecast", () => {
  const outcome = (waitMs: number, isKept: boolean) =>
    said.promises.map(({ probability, waitMs: saidMs }) => ({ probability, saidMs, waitMs, isKept }));

  it("is stretched by the ⌈(n + 1) l⌉-th smallest of the latest forty, from eight on", () => {
    const lateness = emptyLateness();
    const promises = said.promises;
    // The wait whose lateness is n: (wait + 1 min) is n times eleven minutes.
    const waitOf = (n: number) => (11 * n - 1) * MINUTE;
    for (let n = 1; n <= 7; n++) addLateness(lateness, outcome(waitOf(n), true));
    expect(stretched(promises, [lateness])).toEqual(promises);
    for (let n = 8; n <= 100; n++) addLateness(lateness, outcome(waitOf(n), true));
    // The latest are 61 … 100; ⌈41 × 0.5⌉ = 21 → 81, ⌈41 × 0.95⌉ = 39 → 99.
    expect(stretched(promises, [lateness]).map(({ waitMs }) => waitMs)).toEqual([waitOf(81), waitOf(99)]);
    // With every missed promise the level rises, and with it the rank, then the stretch beyond all lateness
    // seen.
    for (let n = 0; n < 60; n++) addLateness(lateness, outcome(waitOf(100), false));
    for (const { waitMs } of stretched(promises, [lateness])) expect(waitMs).toBe(waitOf(200));
  });

  it("is never shortened, and unchanged where the method is exact", () => {
    const lateness = emptyLateness();
    for (let n = 0; n < 60; n++) addLateness(lateness, outcome(n % 2 === 0 ? 0 : 10 * MINUTE, true));
    expect(stretched(said.promises, [lateness])).toEqual(said.promises);
  });

  it("has its promised coverage in a growing queue, where the method alone has not", () => {
    // Every job waits six seconds longer than the one before.
    const growing = Array.from({ length: 400 }, (_, n) => 10 * MINUTE + n * 6000);
    const kept = (isRecalibrated: boolean) => {
      const score = withScore(played(growing, isRecalibrated), here, said)?.score;
      return score?.kept.map((it) => it.kept) ?? [];
    };
    expect(kept(false).at(-1)).toBeLessThan(0.1);
    const [half, most] = kept(true);
    expect(half).toBeGreaterThan(0.45);
    expect(most).toBeGreaterThan(0.9);
  });

  it("has its promised coverage, and little more, where waits are identically distributed", () => {
    // Exponential waits with a mean of twenty minutes, by quantiles in an arbitrary order.
    const waits = Array.from({ length: 400 }, (_, n) => -20 * MINUTE * Math.log(1 - ((n * 0.618034) % 1)));
    const score = withScore(played(waits, true), here, said)?.score;
    const [half, most] = score?.kept.map((it) => it.kept) ?? [];
    expect(Math.abs((half ?? 0) - 0.5)).toBeLessThan(0.06);
    expect(Math.abs((most ?? 0) - 0.95)).toBeLessThan(0.04);
  });
});

describe("PD-17 scoring of promises", () => {
  it("tolerates seconds, and a hundredth of a long wait", () => {
    const on = (lateMs: number, waitMs = 10 * MINUTE) =>
      withScore(played(Array(20).fill(waitMs + lateMs), false), here, said)?.score.kept[0].kept;
    expect([on(0), on(21_000), on(22_000)]).toEqual([1, 1, 0]);
  });

  it("separates records of immediate starts from those of waits", () => {
    const room = { ...here, isAtOnce: true };
    const book = played(Array(40).fill(0), false, room);
    expect(withScore(book, room, said)?.score.kept[0]).toMatchObject({ promises: 40, kept: 1 });
    expect(withScore(book, { ...here, isAtOnce: false }, said)).toBeUndefined();
  });

  it("takes both together where no schedule is known", () => {
    const book = played(Array(40).fill(0), false, { ...here, isAtOnce: true });
    expect(withScore(book, { ...here, isAtOnce: undefined }, said)?.score.kept[0]).toMatchObject({
      promises: 40,
    });
  });
});
