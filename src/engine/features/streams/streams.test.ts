import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { cancel, RULES, reserved, USER } from "../../../../test/reservation-scene.ts";
import { explanationText, JOB_DEFAULTS, type JobRecord, type LiveStream } from "../../../model/index.ts";
import { apply, createProjection, explain, query } from "../../index.ts";
import { LAST_MOMENTS_MS } from "../../state/site-state.ts";

const MB = 1_000_000;

const STREAM: LiveStream = {
  ...{ name: "s", weight: 1, weightStep: 1, weightPeriodMs: 600_000, procs: 1 },
  ...{ minBytesPerSec: MB, minBytes: 10 * MB, sources: [], blockBytes: MB, connections: 1, ahead: 1 },
  ...{ delivery: "lines", command: ["true"], environment: {}, restarts: 3 },
};

/** A site of 8 processors that gives streams 9.5 MB/s and 1 GB. */
function pool(): Scene {
  const play = scene({ here: 8 });
  const { spec } = play.projection.sites.get("here") ?? {};
  if (spec === undefined) throw new Error("the scene has its site");
  const streams = { inboundBytesPerSec: 10 * MB, storageBytes: 1000 * MB, directory: "/streams" };
  expect(play.ask({ kind: "changeSite", site: "here", spec: { ...spec, streams } })).toBe("ok");
  return play;
}

function submit(play: Scene, job: string, more: Partial<LiveStream> = {}): string {
  const stream = { ...STREAM, ...more };
  const description = {
    ...{ ...JOB_DEFAULTS, executable: "stint", procs: stream.procs, site: "here" },
    ...{ wallTimeMs: HOUR },
  };
  play.ask({ kind: "submit", job, description, consumer: "vo/g/u1", owner: "u1" });
  play.act("hold", job);
  return play.ask({ kind: "recordStream", job, site: "here", stream });
}

/** Selects; the streams that are admitted by it, in order. */
function select(play: Scene): readonly string[] {
  const from = play.log.length;
  expect(play.ask({ kind: "selectStreams", site: "here" })).toBe("ok");
  return play.log.slice(from).flatMap((it) => (it.kind === "streamAdmitted" ? [it.job] : []));
}

const reservers = (play: Scene) =>
  [...play.projection.books.streams.values()]
    .filter((it) => it.reservation !== undefined)
    .map(({ job }) => job);

const recordOf = (play: Scene, job: string): JobRecord => {
  const record = play.records.get(job);
  if (record === undefined) throw new Error(`there is no job ${job}`);
  return record;
};

describe("streams of a broker", () => {
  it("are admitted while their minima fit together, the heavier ones first", () => {
    const play = pool();
    submit(play, "light", { weight: 1, minBytesPerSec: 6 * MB });
    submit(play, "heavy", { weight: 3, minBytesPerSec: 6 * MB });
    submit(play, "small", { weight: 1, minBytesPerSec: 3 * MB });
    expect(select(play)).toEqual(["heavy", "small"]);
    expect(select(play)).toEqual([]);
  });

  it("what waits says what is short, and cannot be released by hand", () => {
    const play = pool();
    submit(play, "first", { minBytesPerSec: 6 * MB });
    select(play);
    expect(play.act("release", "first")).toBe("ok");
    submit(play, "second", { minBytesPerSec: 6 * MB });
    const explanation = explain(play.projection, recordOf(play, "second"), play.now);
    const endMs = play.now + HOUR + LAST_MOMENTS_MS;
    const first = { job: "first", consumer: "vo/g/u1", amount: 6 * MB };
    const shortage = { resource: "bandwidth", needed: 6 * MB, available: 3.5 * MB };
    const shortages = [{ ...shortage, holders: [first], moreHolders: 0, availableAtMs: endMs }];
    const smallestChange = { resource: "bandwidth", lowerTo: 3.5 * MB };
    expect(explanation.causes).toEqual([{ kind: "streamWaits", site: "here", shortages, smallestChange }]);
    const [, text] = explanationText(explanation, (atMs) => (atMs === endMs ? "10:00" : "another time"));
    expect(text).toBe(
      "at here it needs 6MB/s of bandwidth, free: 3500kB/s of bandwidth, 6MB/s of bandwidth is used by " +
        "first of vo/g/u1, enough is free by 10:00; with a minimum of 3500kB/s of bandwidth it " +
        "could start now",
    );
    expect(play.act("release", "second")).toBe("streamNotAdmitted");
  });

  it("what waits at a site that publishes aggregates names no other job", () => {
    const play = pool();
    const { spec } = play.projection.sites.get("here") ?? {};
    if (spec === undefined) throw new Error("the scene has its site");
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, publish: "aggregates" } });
    submit(play, "first", { minBytesPerSec: 6 * MB });
    select(play);
    submit(play, "second", { minBytesPerSec: 6 * MB });
    const { causes } = explain(play.projection, recordOf(play, "second"), play.now);
    expect(causes).toMatchObject([{ kind: "streamWaits", shortages: [{ resource: "bandwidth" }] }]);
    expect(JSON.stringify(causes)).not.toContain("first");
  });

  it("what no empty site could give is refused at once", () => {
    const play = pool();
    expect(submit(play, "a", { minBytesPerSec: 10 * MB })).toBe("streamNeverFits");
    expect(submit(play, "b", { minBytes: 1001 * MB })).toBe("streamNeverFits");
    expect(submit(play, "c", { procs: 9 })).toBe("streamNeverFits");
  });

  /** A stream runs, and a wide one waits for its bandwidth. */
  function withReserver(): Scene {
    const play = pool();
    submit(play, "runs", { minBytesPerSec: 5 * MB });
    select(play);
    submit(play, "wide", { weight: 2, minBytesPerSec: 8 * MB, procs: 8, weightPeriodMs: 1000 });
    expect([select(play), reservers(play)]).toEqual([[], ["wide"]]);
    return play;
  }

  it("STR-4 one that waited long sets aside what comes free, and lighter ones do not pass it", () => {
    const play = withReserver();
    submit(play, "narrow", { minBytesPerSec: 4 * MB });
    expect(select(play)).toEqual([]);
    const { causes } = explain(play.projection, recordOf(play, "wide"), play.now);
    expect(causes).toMatchObject([{ reserved: { procs: 7, untilMs: play.now + HOUR } }]);
    expect(explain(play.projection, recordOf(play, "narrow"), play.now).causes).toMatchObject([
      { behind: "wide" },
    ]);
    play.ask({ kind: "endStream", job: "runs", last: null });
    expect(select(play)).toEqual(["wide"]);
    expect(reservers(play)).toEqual(["narrow"]);
  });

  it("EN-262 a reservation is an event, found again from the log, and written only when it changes", () => {
    const play = withReserver();
    const before = play.log.length;
    play.now += 1000;
    select(play);
    expect(play.log.length).toBe(before);
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect(again.books.streams).toEqual(play.projection.books.streams);
    expect(again.books.streams.get("wide")?.reservation).toEqual({ sinceMs: 1000, procs: { any: 7 } });
  });

  it("STR-4 a reservation expires after an hour, and then another stream is served", () => {
    const play = withReserver();
    submit(play, "narrow", { minBytesPerSec: 4 * MB, weightPeriodMs: 10 * HOUR });
    play.now += HOUR;
    expect(select(play)).toEqual(["narrow"]);
    expect(play.projection.books.streams.get("wide")).toMatchObject({ reservationExpiredAtMs: play.now });
    expect(reservers(play)).toEqual([]);
  });

  it("rates follow the weights within the bounds, and what is halted or paused leaves its part", () => {
    const play = pool();
    for (const [job, weight] of [
      ["one", 1],
      ["three", 3],
    ] as const) {
      submit(play, job, { weight, minBytesPerSec: 1 * MB });
      select(play);
    }
    const at = (halted: string) => {
      const now = new Map(
        ["one", "three"].map((job) => [job, { isHalted: job === halted, occupiedBytes: 0 }]),
      );
      const question = { site: "here", now };
      const shares = query(play.projection, { name: "streamAllocations", question }, play.now);
      return shares.map(({ bytesPerSec }) => Math.round(bytesPerSec / 1000));
    };
    expect(at("")).toEqual([1875, 7625]);
    expect(at("three")).toEqual([9500, 1000]);
    play.ask({ kind: "changeStream", job: "one", by: "u1", isPaused: true });
    expect(at("")).toEqual([0, 9500]);
  });

  it("EN-260 utilities of other kinds: concave ones exactly, others by the last rates, repaired", () => {
    const play = pool();
    const bounds = { minBytesPerSec: MB, maxBytesPerSec: 8 * MB };
    const linear = { kind: "linear", unitBytesPerSec: MB } as const;
    submit(play, "one", { ...bounds, weight: 1, utility: linear });
    submit(play, "two", { ...bounds, weight: 3, utility: linear });
    select(play);
    const at = (last: readonly (readonly [string, number])[] = []) => {
      const now = new Map(last.map(([job]) => [job, { isHalted: false, occupiedBytes: 0 }]));
      const question = { site: "here", now, rates: new Map(last.filter(([, rate]) => rate > 0)) };
      const shares = query(play.projection, { name: "streamAllocations", question }, play.now);
      return shares.map(({ bytesPerSec }) => Math.round(bytesPerSec / 1000));
    };
    const both = [
      ["one", 5 * MB],
      ["two", 5 * MB],
    ] as const;
    expect(at(both)).toEqual([1500, 8000]);
    const step = { kind: "step", unitBytesPerSec: MB, x0: 3 } as const;
    submit(play, "three", { minBytesPerSec: 0.5 * MB, utility: step });
    select(play);
    // What exceeds the minima is scaled into the 7 MB/s that they leave; the newcomer has its minimum.
    expect(at([...both, ["three", 0]])).toEqual([4500, 4500, 500]);
    expect(at([...both, ["three", 3 * MB]])).toEqual([3667, 3667, 2167]);
  });

  it("EN-265 an admitted stream starts when the others leave its storage, which then shifts", () => {
    const play = pool();
    submit(play, "old", { minBytes: 100 * MB });
    select(play);
    const ask = (now: Record<string, readonly [occupied: number, quota: number]>, isMoveDue = false) => {
      const entries = Object.entries(now);
      const doing = entries.map(([job, [occupied, quota]]) => {
        const it = { isHalted: false, occupiedBytes: occupied * MB, quotaBytes: quota * MB };
        return [job, it] as const;
      });
      const quotas = new Map(
        entries.flatMap(([job, [, quota]]) => (quota === 0 ? [] : [[job, quota * MB] as const])),
      );
      const question = { site: "here", now: new Map(doing), quotas, isMoveDue };
      const may = query(play.projection, { name: "streamsMayStart", question }, play.now);
      const shares = query(play.projection, { name: "streamAllocations", question }, play.now);
      return [may, ...shares.map(({ quotaBytes }) => Math.round(quotaBytes / MB))];
    };
    expect(ask({ old: [0, 0] })).toEqual([true, 900]);
    submit(play, "new", { minBytes: 400 * MB });
    expect(select(play)).toEqual(["new"]);
    // What is occupied stays until it is processed.
    expect(ask({ old: [800, 900] })).toEqual([false, 800]);
    const { causes } = explain(play.projection, recordOf(play, "new"), play.now);
    expect(causes).toEqual([{ kind: "streamWaits", site: "here", shortages: [], isAdmitted: true }]);
    expect(ask({ old: [500, 800] })).toEqual([false, 600]);
    expect(ask({ old: [500, 600] })).toEqual([true, 600]);
    expect(ask({ old: [500, 600], new: [0, 0] })).toEqual([true, 500, 400]);
    expect(ask({ old: [490, 500], new: [0, 400] }, true)).toEqual([true, 500, 400]);
    play.ask({ kind: "endStream", job: "new", last: null });
    expect(ask({ old: [490, 500] })).toEqual([true, 900]);
  });

  it("EN-261 processors are not free while they are reserved before a stream would end", () => {
    const play = pool();
    const { spec } = play.projection.sites.get("here") ?? {};
    if (spec === undefined) throw new Error("the scene has its site");
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations: RULES } });
    play.settle();
    reserved(play, "r1", { procs: 6, startMs: play.now + HOUR / 2 });
    submit(play, "wide", { procs: 4 });
    submit(play, "small", { procs: 2 });
    expect(select(play)).toEqual(["small"]);
    const { causes } = explain(play.projection, recordOf(play, "wide"), play.now);
    expect(causes).toMatchObject([
      {
        shortages: [
          {
            ...{ resource: "processors", needed: 4, available: 0, availableAtMs: play.now + 1.5 * HOUR },
            holders: [{ job: "r1", consumer: USER, amount: 6 }, { job: "small" }],
          },
        ],
      },
    ]);
    play.ask(cancel("r1"));
    expect(select(play)).toEqual(["wide"]);
  });

  it("one that is over is not changed", () => {
    const play = pool();
    submit(play, "s");
    play.ask({ kind: "endStream", job: "s", last: null });
    expect(play.ask({ kind: "changeStream", job: "s", by: "u1", weight: 2 })).toBe("streamOver");
    expect(play.ask({ kind: "changeStream", job: "t", by: "u1", weight: 2 })).toBe("unknownStream");
  });

  /** A site with a class of four processors that are said to be slow, and two that are fast. */
  function classed(): Scene {
    const play = pool();
    const { spec } = play.projection.sites.get("here") ?? {};
    if (spec?.streams === undefined) throw new Error("the scene has its pool");
    const classes = [
      { name: "old", procs: 4, type: "i386" },
      { name: "new", procs: 2, type: "x86_64", benchmark: 2 },
    ];
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, streams: { ...spec.streams, classes } } });
    return play;
  }
  const record = (play: Scene, job: string) => play.projection.books.streams.get(job);
  const tried = (play: Scene, job: string, className: string, bytesPerSec: number | null) =>
    play.ask({
      ...{ kind: "recordTrial", job, className },
      measured: bytesPerSec === null ? null : { bytesPerSec },
    });

  it("EN-266 a stream is tried on each class, runs on the fastest, and rates are remembered", () => {
    const play = classed();
    const programHash = "p";
    submit(play, "first", { programHash });
    expect(select(play)).toEqual(["first"]);
    expect(record(play, "first")).toMatchObject({ className: "new", trials: ["old", "new"] });
    const why = () => explain(play.projection, recordOf(play, "first"), play.now).causes;
    expect(why()).toEqual([{ kind: "streamOnTrial", site: "here", className: "old", left: 1 }]);
    tried(play, "first", "old", 5 * MB);
    expect(record(play, "first")?.trials).toEqual(["new"]);
    expect(why()).toEqual([{ kind: "streamOnTrial", site: "here", className: "new", left: 0 }]);
    // Its own job would read its sources beside the trial.
    expect(play.act("release", "first")).toBe("streamNotAdmitted");
    // The benchmark was wrong.
    tried(play, "first", "new", 3 * MB);
    expect(record(play, "first")).toMatchObject({ className: "old" });
    expect(record(play, "first")).not.toHaveProperty("trials");
    expect(play.act("release", "first")).toBe("ok");
    submit(play, "second", { programHash });
    select(play);
    expect(record(play, "second")).toMatchObject({ className: "old" });
    expect(record(play, "second")).not.toHaveProperty("trials");
    const rates = query(play.projection, { name: "streamClassRates", question: "second" }, play.now);
    expect(rates.map(({ className, bytesPerSec }) => [className, bytesPerSec])).toEqual([
      ["old", 5 * MB],
      ["new", 3 * MB],
    ]);
    play.now += 31 * 24 * HOUR;
    submit(play, "late", { programHash });
    select(play);
    expect(record(play, "late")?.trials).toEqual(["old", "new"]);
  });

  it("EN-266 a heavier stream has the better class; a trial without a result decides nothing", () => {
    const play = classed();
    submit(play, "light", { weight: 1, procs: 2, programHash: "p" });
    submit(play, "heavy", { weight: 3, procs: 2, programHash: "p" });
    expect(select(play)).toEqual(["heavy", "light"]);
    expect([record(play, "heavy")?.className, record(play, "light")?.className]).toEqual(["new", "old"]);
    // Both classes are tried by the heavier one; the lighter one finds no free processor of the new class.
    expect(record(play, "heavy")?.trials).toEqual(["old", "new"]);
    expect(record(play, "light")?.trials).toEqual(["old"]);
    for (const name of ["old", "new"]) tried(play, "heavy", name, null);
    expect(record(play, "heavy")).toMatchObject({ className: "new" });
    tried(play, "light", "old", MB);
    expect(record(play, "light")).toMatchObject({ className: "old" });
  });

  it("EN-266 a stream runs on processors of its type, all of one class", () => {
    const play = classed();
    expect(submit(play, "typed", { type: "sparc" })).toBe("streamUnsuited");
    expect(submit(play, "asking", { requirements: "other.Speed > 2" })).toBe("streamUnsuited");
    expect(submit(play, "wide", { procs: 5 })).toBe("streamNeverFits");
    expect(submit(play, "fast", { procs: 2, requirements: "other.Speed > 1", programHash: "p" })).toBe("ok");
    expect(select(play)).toEqual(["fast"]);
    // One class is none to choose from.
    expect(record(play, "fast")).toMatchObject({ className: "new" });
    expect(record(play, "fast")).not.toHaveProperty("trials");
    submit(play, "next", { procs: 1, type: "x86_64" });
    expect(select(play)).toEqual([]);
    expect(explain(play.projection, recordOf(play, "next"), play.now).causes).toMatchObject([
      { kind: "streamWaits", shortages: [{ resource: "processors", needed: 1, available: 0 }] },
    ]);
  });
});
