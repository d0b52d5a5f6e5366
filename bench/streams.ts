/**
 * Bandwidth of streams beside naive references: `npx tsx bench/streams.ts`.
 *
 * 1,000 concave sessions: exact rates (budget 1 ms) beside the same bisection that asks each session in turn
 * for its rate at each multiplier, and the genetic algorithm (budget 50 ms) beside one whose individuals are
 * plain lists that are judged by `utilityOf`. Medians of processor time, each pair in the same run.
 */
import { createRandom, drawFraction, type Random } from "../src/base/index.ts";
import { allocateBandwidth, type Session, utilityOf } from "../src/stream/index.ts";

const ROUNDS = 15;

function sessionsOf(count: number, random: Random): readonly Session[] {
  return Array.from({ length: count }, () => {
    const minBytesPerSec = (1 + 4 * drawFraction(random)) * 1e6;
    const weight = 1 + 4 * drawFraction(random);
    const scale = { weight, unitBytesPerSec: 1e6 };
    const utility =
      drawFraction(random) < 0.7
        ? { kind: "log" as const, ...scale }
        : { kind: "alpha" as const, a: 2, ...scale };
    return { minBytesPerSec, maxBytesPerSec: 4 * minBytesPerSec, utility };
  });
}

/** Bisection from 0 on, 100 steps, each session an object. */
function naiveRates(sessions: readonly Session[], inbound: number): readonly number[] {
  const ratesAt = (multiplier: number) =>
    sessions.map(({ utility, minBytesPerSec, maxBytesPerSec }) => {
      const { weight, unitBytesPerSec: unit } = utility;
      const wanted =
        utility.kind === "alpha"
          ? unit * (weight / (unit * multiplier)) ** (1 / utility.a)
          : weight / multiplier - unit;
      return Math.max(minBytesPerSec, Math.min(maxBytesPerSec, wanted));
    });
  let [low, high] = [1e-12, 1e-3];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    const sum = ratesAt(middle).reduce((all, rate) => all + rate, 0);
    if (sum > inbound) low = middle;
    else high = middle;
  }
  return ratesAt(high);
}

/** 20 generations of 60 lists: crossover, repair and judgement of each, as the algorithm needs at least. */
function naiveGenetic(sessions: readonly Session[], inbound: number, random: Random): number {
  const minima = sessions.reduce((sum, { minBytesPerSec }) => sum + minBytesPerSec, 0);
  const repaired = (rates: readonly number[]) => {
    const kept = rates.map((rate, at) =>
      Math.max(sessions[at].minBytesPerSec, Math.min(sessions[at].maxBytesPerSec, rate)),
    );
    const above = kept.reduce((sum, rate) => sum + rate, 0) - minima;
    const part = Math.min(1, (inbound - minima) / above);
    return kept.map((rate, at) => sessions[at].minBytesPerSec + (rate - sessions[at].minBytesPerSec) * part);
  };
  const judged = (rates: readonly number[]) => ({
    rates,
    utility: rates.reduce((sum, rate, at) => sum + utilityOf(sessions[at].utility, rate), 0),
  });
  const drawn = () => sessions.map((it) => it.minBytesPerSec * (1 + 3 * drawFraction(random)));
  let all = Array.from({ length: 60 }, () => judged(repaired(drawn())));
  for (let generation = 0; generation < 20; generation++) {
    all.sort((one, other) => other.utility - one.utility);
    const pick = () => all[Math.floor(drawFraction(random) ** 2 * all.length)].rates;
    all = all.map((_, at) => {
      if (at < 2) return all[at];
      const [mother, father] = [pick(), pick()];
      const child = mother.map(
        (rate, gene) => rate + (father[gene] - rate) * (2 * drawFraction(random) - 0.5),
      );
      return judged(repaired(child));
    });
  }
  return Math.max(...all.map(({ utility }) => utility));
}

/** Median of processor time, in ms. */
function medianMs(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return times.sort((one, other) => one - other)[ROUNDS >> 1];
}

const random = createRandom(2026);
for (const count of [10, 100, 1000, 10_000]) {
  const sessions = sessionsOf(count, random);
  const inboundBytesPerSec = sessions.reduce((sum, it) => sum + it.minBytesPerSec, 0) * 2;
  const exact = medianMs(() => allocateBandwidth(sessions, { inboundBytesPerSec }));
  const naive = medianMs(() => naiveRates(sessions, inboundBytesPerSec));
  const line = `${count} sessions: exact ${exact.toFixed(3)} ms, naive ${naive.toFixed(3)} ms`;
  process.stdout.write(`${line}, ratio ${(exact / naive).toFixed(2)}\n`);
  if (count > 1000) continue;
  const genetic = medianMs(() =>
    allocateBandwidth(sessions, { inboundBytesPerSec, method: "genetic", random }),
  );
  const naiveMs = medianMs(() => naiveGenetic(sessions, inboundBytesPerSec, random));
  const other = `${count} sessions: genetic ${genetic.toFixed(2)} ms, naive ${naiveMs.toFixed(2)} ms`;
  process.stdout.write(`${other}, ratio ${(genetic / naiveMs).toFixed(2)}\n`);
}
