/** Runtimes, and the records that every published forecast has. */
import { describe, expect, it } from "vitest";
import {
  choose,
  createRuntimes,
  createScores,
  createSitePredictor,
  type Forecast,
  forecastByTemplate,
  forecastRecent,
  type JobFacts,
  observe,
  observeRuntime,
  predictStart,
  predictStarts,
  type RuntimeHistory,
  recordForecasts,
  replaceStartForecast,
  type SiteSnapshot,
  scoreForecasts,
  withScore,
} from "./index.ts";

const MINUTE = 60_000;
const ASSURANCE = { quantile: 0.5, confidence: 0.8 };
const facts = (more: Partial<JobFacts> = {}): JobFacts => ({
  id: "1",
  queue: "batch",
  user: "ada",
  executable: "fft",
  procs: 4,
  wallTimeMs: 60 * MINUTE,
  ...more,
});

const past = (...runs: readonly (readonly [minutes: number, more?: Partial<JobFacts>])[]): RuntimeHistory => {
  const history = createRuntimes();
  for (const [minutes, more] of runs) observeRuntime(history, facts(more), minutes * MINUTE);
  return history;
};

describe("runtimes", () => {
  it("recent: the mean of the user's last two similar jobs, else of the user's last two", () => {
    const history = past([10], [20], [30], [50, { executable: "sort" }], [1, { user: "bob" }]);
    expect(forecastRecent(history, facts(), ASSURANCE)).toMatchObject({
      expectedMs: 25 * MINUTE,
      template: "user executable procs time",
    });
    expect(forecastRecent(history, facts({ procs: 512 }), ASSURANCE)).toMatchObject({
      expectedMs: 40 * MINUTE,
      template: "user",
    });
    expect(forecastRecent(history, facts({ user: "bob" }), ASSURANCE)).toBeUndefined();
  });

  it("template: the closest category with three jobs", () => {
    const eve = { user: "eve" };
    const history = past([10], [20], [30], [8, { executable: "sort" }], [2, eve], [4, eve]);
    const templateOf = (more: Partial<JobFacts>) => forecastByTemplate(history, facts(more), ASSURANCE);
    expect(templateOf({})).toMatchObject({ expectedMs: 20 * MINUTE, runs: 3 });
    expect(templateOf({ executable: "new" })).toMatchObject({ template: "user procs time", runs: 4 });
    expect(templateOf({ user: "new" })).toMatchObject({ template: "executable procs time", runs: 5 });
    const strange = { user: "new", executable: "new", procs: 1000 };
    expect(templateOf(strange)).toMatchObject({ template: "all", runs: 6 });
    expect(forecastByTemplate(past([10], [20]), facts(), ASSURANCE)).toBeUndefined();
    const { executable: _, ...nameless } = facts();
    expect(forecastByTemplate(history, nameless, ASSURANCE)?.template).toBe("user procs time");
  });

  it("PD-1 bounds come from a coarser category where the closest has too few runs", () => {
    const many = Array.from({ length: 80 }, (_, i): readonly [number, Partial<JobFacts>] => [
      1 + (i % 40),
      { user: "eve", executable: "sort" },
    ]);
    const strict = { quantile: 0.95, confidence: 0.95 };
    const history = past(...many, [50], [50], [50]);
    expect(forecastByTemplate(history, facts(), strict)).toMatchObject({
      expectedMs: 50 * MINUTE,
      boundMs: 50 * MINUTE,
      template: "user executable procs time",
    });
    expect(forecastByTemplate(past([1], [1], [1]), facts(), strict)?.boundMs).toBeUndefined();
    const steady = past(...Array.from({ length: 70 }, (): readonly [number] => [10]));
    expect(forecastRecent(steady, facts(), strict)?.boundMs).toBe(10 * MINUTE);
    expect(forecastRecent(past([1], [1]), facts(), strict)?.boundMs).toBeUndefined();
  });

  it("no prediction is above the requested walltime", () => {
    const history = past(...Array.from({ length: 9 }, (): readonly [number] => [55]));
    const short = facts({ wallTimeMs: 40 * MINUTE });
    expect(forecastByTemplate(history, short, ASSURANCE)).toMatchObject({
      expectedMs: 40 * MINUTE,
      boundMs: 40 * MINUTE,
    });
    expect(forecastRecent(history, short, ASSURANCE)?.expectedMs).toBe(40 * MINUTE);
  });
});

const here = { site: "hpc", waitClass: "batch 0/11" };
const promise = (method: Forecast["method"], waitMs: number): Forecast => ({
  method,
  promises: [
    { probability: 0.5, waitMs: waitMs / 2 },
    { probability: 0.95, waitMs },
  ],
});

describe("records", () => {
  it("PD-17 no forecast is published before twenty have been scored; then each has a record", () => {
    const book = createScores();
    for (let i = 0; i < 19; i++) {
      recordForecasts(book, here, String(i), [promise("history", 100)]);
      scoreForecasts(book, "hpc", String(i), i < 1 ? 200 : 40);
    }
    const none = choose(book, here, [promise("history", 100), promise("schedule", 5)]);
    expect(none).toEqual({ ok: false, refusal: { kind: "noRecord", settled: 19, needed: 20 } });
    recordForecasts(book, here, "19", [promise("history", 100)]);
    scoreForecasts(book, "hpc", "19", 40);
    expect(choose(book, here, [promise("history", 70), promise("schedule", 5)])).toMatchObject({
      ok: true,
      value: {
        method: "history",
        promises: [{ waitMs: 35 }, { waitMs: 70 }],
        hasBeenWrong: false,
        score: {
          of: "class",
          medianErrorMs: 10,
          kept: [
            { probability: 0.5, promises: 20, kept: 0.95, fellShort: false },
            { probability: 0.95, promises: 20, kept: 0.95, fellShort: false },
          ],
        },
      },
    });
    expect(choose(book, here, [])).toMatchObject({ ok: false, refusal: { settled: 0 } });
  });

  it("PD-17 the record is of the latest 400", () => {
    const book = createScores();
    for (let i = 0; i < 1000; i++) {
      recordForecasts(book, here, String(i), [promise("history", 100)]);
      scoreForecasts(book, "hpc", String(i), i < 600 ? 500 : 0);
    }
    expect(withScore(book, here, promise("history", 1))?.score.kept[0]).toMatchObject({
      promises: 400,
      kept: 1,
    });
  });

  it("PD-18 the smaller loss wins, a class's record before the site's, equal ones in a fixed order", () => {
    const book = createScores();
    for (let i = 0; i < 30; i++) {
      const said = [promise("schedule", 100), promise("similarity", 60), promise("history", 60)];
      recordForecasts(book, here, String(i), said);
      scoreForecasts(book, "hpc", String(i), 30);
    }
    const all = [promise("schedule", 9), promise("history", 9), promise("similarity", 9)];
    expect(choose(book, here, all)).toMatchObject({ value: { method: "history" } });
    const elsewhere = { ...here, waitClass: "wide" };
    expect(choose(book, elsewhere, all)).toMatchObject({
      value: { method: "history", score: { of: "site" } },
    });
    for (let i = 0; i < 20; i++) {
      recordForecasts(book, elsewhere, String(i), [promise("schedule", 1000)]);
      scoreForecasts(book, "hpc", String(i), 0);
    }
    expect(choose(book, elsewhere, all)).toMatchObject({
      value: { method: "schedule", score: { of: "class" } },
    });
    expect(choose(book, { ...here, site: "other" }, all).ok).toBe(false);
  });

  it("PD-18 the distance of a promise that held costs little, that of a missed one much", () => {
    const book = createScores();
    const promised = (method: Forecast["method"], waitMs: number): Forecast => {
      return { method, promises: [{ probability: 0.95, waitMs }] };
    };
    const said = [promised("history", 20), promised("schedule", 100)];
    for (let i = 0; i < 20; i++) {
      recordForecasts(book, here, String(i), said);
      scoreForecasts(book, "hpc", String(i), 30);
    }
    expect(withScore(book, here, said[0])?.score.meanLossMs).toBeCloseTo(9.5, 9);
    expect(withScore(book, here, said[1])?.score.meanLossMs).toBeCloseTo(3.5, 9);
    expect(choose(book, here, said)).toMatchObject({ value: { method: "schedule" } });
  });

  it("PD-18 methods that fell short come after those whose promises held, however small their loss", () => {
    const book = createScores();
    const promised = (method: Forecast["method"], waitMs: number): Forecast => {
      return { method, promises: [{ probability: 0.8, waitMs }] };
    };
    const said = [promised("history", 100), promised("simulation", 2000)];
    for (let i = 0; i < 100; i++) {
      recordForecasts(book, here, String(i), said);
      scoreForecasts(book, "hpc", String(i), i % 10 < 4 ? 110 : 50);
    }
    const loss = said.map((it) => withScore(book, here, it)?.score.meanLossMs ?? 0);
    expect(loss[0]).toBeLessThan(loss[1]);
    expect(choose(book, here, said)).toMatchObject({ value: { method: "simulation", hasBeenWrong: false } });
  });

  it("PD-18 a withdrawn job is not scored", () => {
    const book = createScores();
    recordForecasts(book, here, "1", [promise("history", 1)]);
    scoreForecasts(book, "hpc", "1", undefined);
    scoreForecasts(book, "hpc", "1", 5);
    expect(book.records.size).toBe(0);
    expect(book.open.size).toBe(0);
  });

  it("a method whose promises fell short is marked", () => {
    const book = createScores();
    for (let i = 0; i < 100; i++) {
      recordForecasts(book, here, String(i), [promise("simulation", 100)]);
      scoreForecasts(book, "hpc", String(i), i % 10 === 0 ? 1000 : 10);
    }
    expect(withScore(book, here, promise("simulation", 1))).toMatchObject({
      hasBeenWrong: true,
      score: {
        kept: [
          { probability: 0.5, fellShort: false },
          { probability: 0.95, kept: 0.9, fellShort: true },
        ],
      },
    });
  });
});

describe("a site's predictor", () => {
  /** One processor; a job an hour, which uses half of it. */
  const hourly = (shown: boolean) => {
    const predictor = createSitePredictor("hpc");
    const hour = 60 * MINUTE;
    const snapshot = (nowMs: number): SiteSnapshot => {
      return { nowMs, capacity: [4], discipline: "easy", jobs: [], reservations: [] };
    };
    for (let i = 0; i < 100; i++) {
      const atMs = i * hour;
      const observation = shown ? { snapshot: snapshot(atMs) } : {};
      observe(predictor, { kind: "submitted", atMs, job: facts({ id: String(i) }) }, observation);
      observe(predictor, { kind: "started", atMs: atMs + 5, id: String(i) });
      observe(predictor, { kind: "ended", atMs: atMs + 5 + hour / 2, id: String(i) });
    }
    const nowMs = 100 * hour;
    const observation = shown ? { nowMs, snapshot: snapshot(nowMs) } : { nowMs };
    return { predictor, said: predictStart(predictor, facts({ id: "100" }), observation) };
  };

  it("PD-17 PD-18 publishes the best of the methods that the site's data allow", () => {
    const { predictor, said } = hourly(false);
    expect(said).toMatchObject({ ok: true, value: { method: "history", promises: [{}, {}, { waitMs: 5 }] } });
    expect(predictor.jobs.size).toBe(0);
    expect(predictor.scores.open.size).toBe(0);
    expect(forecastRecent(predictor.runtimes, facts(), ASSURANCE)?.expectedMs).toBe(30 * MINUTE);
    // By schedule a job starts at once, but it takes 5 ms: past waits know better.
    expect(hourly(true).said).toMatchObject({ value: { method: "history", hasBeenWrong: false } });
  });

  it("PD-17 drops withdrawn jobs, and ignores unknown ones", () => {
    const predictor = createSitePredictor("hpc");
    observe(predictor, { kind: "submitted", atMs: 0, job: facts() });
    observe(predictor, { kind: "withdrawn", atMs: 1, id: "1" });
    observe(predictor, { kind: "started", atMs: 2, id: "2" });
    observe(predictor, { kind: "ended", atMs: 3, id: "2" });
    expect([predictor.jobs.size, predictor.history.waiting.size, predictor.past.rowOf.size]).toEqual([
      0, 0, 0,
    ]);
    expect(predictStart(predictor, facts(), { nowMs: 9 })).toMatchObject({ refusal: { kind: "noRecord" } });
  });
});

describe("a replaced forecast", () => {
  it("is scored instead of the method's earlier one, while the job waits", () => {
    const predictor = createSitePredictor("s");
    const said = (waitMs: number): Forecast => ({
      ...{ method: "schedule", promises: [{ probability: 0.5, waitMs }] },
    });
    for (let i = 0; i < 20; i++) {
      const job = facts({ id: String(i) });
      observe(predictor, { kind: "submitted", atMs: i * MINUTE, job }, { scheduled: said(0) });
      replaceStartForecast(predictor, job.id, said(30));
      observe(predictor, { kind: "started", atMs: i * MINUTE + 30, id: job.id });
      replaceStartForecast(predictor, job.id, said(99));
    }
    const { said: best, all } = predictStarts(predictor, facts(), { nowMs: 0, scheduled: said(7) });
    expect(best).toMatchObject({ ok: true, value: { method: "schedule", score: { medianErrorMs: 0 } } });
    expect(all.map(({ method }) => method)).toContain("schedule");
  });

  it("PD-17 a job submitted before observation began is not scored", () => {
    const predictor = createSitePredictor("s");
    for (let i = 0; i < 30; i++) {
      const job = facts({ id: String(i) });
      observe(predictor, { kind: "submitted", atMs: 0, job }, { scheduled: scheduled0, isLate: true });
      observe(predictor, { kind: "started", atMs: 30, id: job.id });
    }
    const { said } = predictStarts(predictor, facts(), { nowMs: 60, scheduled: scheduled0 });
    expect(said).toEqual({ ok: false, refusal: { kind: "noRecord", settled: 0, needed: 20 } });
  });
});

const scheduled0: Forecast = { method: "schedule", promises: [{ probability: 0.5, waitMs: 0 }] };
