/** Classes and predictions from past waits, on streams of events. */
import { describe, expect, it } from "vitest";
import { createRandom, drawFraction, type Random } from "../base/index.ts";
import { addToBin, type Bin, createBin } from "./bins.ts";
import { fitClasses } from "./fit-classes.ts";
import {
  boundWait,
  boundWaitBelow,
  classesOf,
  createHistory,
  type JobFacts,
  observeWaits,
  probabilityOfStart,
  type WaitHistory,
} from "./index.ts";

const MINUTE = 60_000;
const ASSURANCE = { quantile: 0.95, confidence: 0.95 };

const jobOf = (id: number, more: Partial<JobFacts> = {}): JobFacts => ({
  id: String(id),
  queue: "batch",
  user: "ada",
  procs: 1,
  wallTimeMs: 3_600_000,
  ...more,
});

/** A wait around `medianMs`, independent of all others. */
const drawWait = (random: Random, medianMs: number): number =>
  Math.round(medianMs * Math.exp(drawFraction(random) + drawFraction(random) - 1));

/** Adds jobs a day apart, so that none waits beside another; returns the next id. */
function play(
  history: WaitHistory,
  count: number,
  next: (i: number) => { readonly job: Partial<JobFacts>; readonly waitMs: number },
  firstId = 0,
): number {
  for (let i = 0; i < count; i++) {
    const atMs = (firstId + i) * 86_400_000;
    const { job, waitMs } = next(i);
    observeWaits(history, { kind: "submitted", atMs, job: jobOf(firstId + i, job) });
    observeWaits(history, { kind: "started", atMs: atMs + waitMs, id: String(firstId + i) });
  }
  return firstId + count;
}

function filledBin(procs: number, wallTimeMs: number, medianMs: number, random: Random): Bin {
  const bin = createBin({ procs, wallTimeMs });
  for (let i = 0; i < 200; i++) {
    addToBin(bin, { submittedAtMs: 0, startedAtMs: drawWait(random, medianMs) });
  }
  return bin;
}

const named = (classes: readonly (readonly Bin[])[]): string[] =>
  classes.map((bins) => bins.map(({ key }) => key).join(" ")).sort();

describe("classes", () => {
  it("join neighbouring bins with similar waits", () => {
    const random = createRandom(1);
    const bins = [
      filledBin(1, 1_000_000, MINUTE, random),
      filledBin(2, 1_000_000, MINUTE, random),
      filledBin(4, 1_000_000, 100 * MINUTE, random),
      filledBin(8, 1_000_000, 100 * MINUTE, random),
      filledBin(8, 2_000_000, 100 * MINUTE, random),
    ];
    expect(named(fitClasses(bins))).toEqual(["0/9 1/9", "2/9 3/9 3/10"]);
  });

  it("stay apart where a different bin lies between", () => {
    const random = createRandom(2);
    const bins = [
      filledBin(1, 1_000_000, MINUTE, random),
      filledBin(2, 1_000_000, 100 * MINUTE, random),
      filledBin(4, 1_000_000, MINUTE, random),
    ];
    expect(named(fitClasses(bins))).toEqual(["0/9", "1/9", "2/9"]);
  });

  it("are two where the difference outweighs two more parameters in BIC, else one", () => {
    const random = createRandom(8);
    const pair = (percent: number): string[] =>
      named(
        fitClasses([
          filledBin(1, 1_000_000, 100 * MINUTE, random),
          filledBin(2, 1_000_000, (100 + percent) * MINUTE, random),
        ]),
      );
    expect(pair(30)).toEqual(["0/9", "1/9"]);
    expect(pair(3)).toEqual(["0/9 1/9"]);
  });

  it("are one where all jobs start at once", () => {
    const bins = [1, 2, 16].map((procs) => createBin({ procs, wallTimeMs: 1000 }));
    for (const bin of bins) addToBin(bin, { submittedAtMs: 5, startedAtMs: 5 });
    expect(fitClasses(bins)).toHaveLength(1);
    expect(fitClasses([])).toEqual([]);
  });
});

describe("the history of a site", () => {
  it("answers by class once there are classes, before that by queue, for a new queue by site", () => {
    const history = createHistory();
    const random = createRandom(3);
    expect(boundWait(history, jobOf(0), ASSURANCE, 0)).toBeUndefined();
    const next = (i: number) => {
      const isWide = i % 2 === 1;
      return { job: { procs: isWide ? 64 : 1 }, waitMs: drawWait(random, isWide ? 600 * MINUTE : MINUTE) };
    };
    const id = play(history, 100, next);
    const nowMs = id * 86_400_000;
    const early = boundWait(history, jobOf(id), ASSURANCE, nowMs);
    expect(early?.source).toMatchObject({ level: "queue", name: "batch", waits: 100 });
    expect(early?.value).toBeGreaterThan(600 * MINUTE);
    const elsewhere = boundWait(history, jobOf(id, { queue: "new" }), ASSURANCE, nowMs);
    expect(elsewhere?.source.level).toBe("site");
    play(history, 400, next, id);
    expect(classesOf(history, "batch")).toEqual(["0/11", "6/11"]);
    const later = 500 * 86_400_000;
    const narrow = boundWait(history, jobOf(500), ASSURANCE, later);
    expect(narrow?.source).toMatchObject({ level: "class", name: "batch 0/11", waits: 250 });
    expect(narrow?.value).toBeLessThan(3 * MINUTE);
    expect(boundWait(history, jobOf(500, { procs: 64 }), ASSURANCE, later)?.value).toBeGreaterThan(
      600 * MINUTE,
    );
    // 250 waits are too few for the 0.99-quantile at 0.95, the queue's 500 are not.
    const strict = { quantile: 0.99, confidence: 0.95 };
    expect(boundWait(history, jobOf(500), strict, later)?.source.level).toBe("queue");
  });

  it("classes are fitted again after every 500 starts, and follow changes of the queue", () => {
    const history = createHistory();
    const random = createRandom(4);
    const id = play(history, 500, (i) => ({ job: { procs: 1 + (i % 2) }, waitMs: drawWait(random, MINUTE) }));
    expect(classesOf(history, "batch")).toEqual(["0/11 1/11"]);
    play(
      history,
      1500,
      (i) => ({ job: { procs: 1 + (i % 2) }, waitMs: drawWait(random, i % 2 === 1 ? 500 * MINUTE : MINUTE) }),
      id,
    );
    expect(classesOf(history, "batch")).toEqual(["0/11", "1/11"]);
  });

  it("a job that waits during a re-fit belongs to its new class when it starts", () => {
    const history = createHistory();
    observeWaits(history, { kind: "submitted", atMs: 0, job: jobOf(-5) });
    play(history, 500, () => ({ job: {}, waitMs: MINUTE }));
    const nowMs = 501 * 86_400_000;
    const waits = () => boundWait(history, jobOf(501), ASSURANCE, nowMs)?.source;
    expect(waits()).toMatchObject({ level: "class", waits: 500 });
    observeWaits(history, { kind: "started", atMs: nowMs, id: "-5" });
    expect(waits()).toMatchObject({ level: "class", waits: 501 });
  });

  it("a withdrawn job leaves no wait, an unknown one is ignored", () => {
    const history = createHistory();
    play(history, 100, () => ({ job: {}, waitMs: MINUTE }));
    const atMs = 100 * 86_400_000;
    observeWaits(history, { kind: "submitted", atMs, job: jobOf(100) });
    observeWaits(history, { kind: "withdrawn", atMs: atMs + 1, id: "100" });
    observeWaits(history, { kind: "started", atMs: atMs + 2, id: "100" });
    observeWaits(history, { kind: "started", atMs: atMs + 2, id: "never seen" });
    observeWaits(history, { kind: "ended", atMs: atMs + 2, id: "99" });
    expect(boundWait(history, jobOf(101), ASSURANCE, atMs + 2)).toMatchObject({
      value: MINUTE,
      source: { waits: 100, changePoints: 0 },
    });
    expect(history.waiting.size).toBe(0);
  });

  it("jobs that wait longer than the bound are observations before they start", () => {
    const history = createHistory();
    const random = createRandom(5);
    const id = play(history, 100, () => ({ job: {}, waitMs: drawWait(random, MINUTE) }));
    const atMs = id * 86_400_000;
    for (let i = 0; i < 3; i++) observeWaits(history, { kind: "submitted", atMs, job: jobOf(id + i) });
    const changes = (nowMs: number) =>
      boundWait(history, jobOf(id + 9), ASSURANCE, nowMs)?.source.changePoints;
    expect(changes(atMs + 1)).toBe(0);
    expect(changes(atMs + 10 * MINUTE)).toBe(1);
  });

  it("the bound at the probability of a deadline is within the deadline", () => {
    const history = createHistory();
    const random = createRandom(6);
    let level = 0;
    // Waits that correlate with their neighbours.
    const id = play(history, 400, () => {
      level = 0.8 * level + drawFraction(random) - 0.5;
      return { job: {}, waitMs: Math.round(MINUTE * Math.exp(2 * level)) };
    });
    const nowMs = id * 86_400_000;
    const bound = boundWait(history, jobOf(id), { quantile: 0.8, confidence: 0.9 }, nowMs)?.value ?? 0;
    const probability = (withinMs: number) =>
      probabilityOfStart(history, jobOf(id), { withinMs, confidence: 0.9 }, nowMs)?.value ?? 0;
    expect(probability(bound)).toBeGreaterThanOrEqual(0.8);
    expect(probability(bound - 1)).toBeLessThan(0.8);
    expect(probability(0)).toBe(0);
    const below = boundWaitBelow(history, jobOf(id), { quantile: 0.2, confidence: 0.9 }, nowMs);
    expect(below?.value).toBeLessThan(bound);
  });

  it("the bound of correlated waits is no lower than that of independent ones", () => {
    const waits = Array.from({ length: 400 }, (_, i) => MINUTE * (1 + Math.abs(200 - i)));
    const mixed = waits.map((_, i) => waits[(i * 147) % 400]);
    const boundOf = (of: readonly number[]): number => {
      const history = createHistory();
      play(history, 400, (i) => ({ job: {}, waitMs: of[i] }));
      return (
        boundWait(history, jobOf(400), { quantile: 0.8, confidence: 0.95 }, 400 * 86_400_000)?.value ?? 0
      );
    };
    expect(boundOf(waits)).toBeGreaterThan(boundOf(mixed));
  });

  it("an unusual number of waiting jobs stretches the bound, and lowers the probability", () => {
    const history = createHistory();
    const random = createRandom(7);
    const id = play(history, 200, () => ({ job: {}, waitMs: drawWait(random, MINUTE) }));
    const atMs = id * 86_400_000;
    const bound = (): number => boundWait(history, jobOf(-1), ASSURANCE, atMs)?.value ?? 0;
    const within = { withinMs: 2 * MINUTE, confidence: 0.95 };
    const probability = (): number => probabilityOfStart(history, jobOf(-1), within, atMs)?.value ?? 0;
    const [alone, certain] = [bound(), probability()];
    for (let i = 0; i < 9; i++) observeWaits(history, { kind: "submitted", atMs, job: jobOf(id + i) });
    expect(bound()).toBe(10 * alone);
    expect(probability()).toBeLessThan(certain);
    for (let i = 0; i < 9; i++) observeWaits(history, { kind: "withdrawn", atMs, id: String(id + i) });
    expect(bound()).toBe(alone);
  });
});
