import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { HOUR, type Scene, scene } from "../../test/engine-scene.ts";
import { eventSummary, isFinal, JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { explain } from "./index.ts";

const UNIT = 2 ** 26;
const noMemory = { cause: "lost", exitCode: null, detail: "too much", shortOf: "memory" } as const;
const tooLate = { cause: "timeLimit", exitCode: null, signal: "SIGTERM" } as const;
const killed = { cause: "signalled", exitCode: null, signal: "SIGKILL" } as const;

/** Submits `j`, and ends each of its attempts so; the states after them. */
function ends(play: Scene, more: Partial<JobDescription>, all: readonly object[]) {
  play.submit("j", 1, more);
  return all.map((end) => {
    play.settle();
    play.running("j");
    play.ended("j", end);
    return play.state("j");
  });
}
const described = (play: Scene) => play.records.get("j")?.description;
const textOfEnds = (play: Scene) =>
  play.log.filter(({ kind }) => kind === "attemptEnded").map((event) => eventSummary(event).text);

describe("EN-185 retries with more", () => {
  it.each([
    [{ memoryBytes: UNIT, retryMemoryBytes: UNIT }, "retryNotLarger"],
    [{ wallTimeMs: HOUR, retryTimeMs: HOUR / 2 }, "retryNotLarger"],
    [{ memoryBytes: UNIT, retryMemoryBytes: UNIT + 1, retryTimeMs: HOUR }, "accepted"],
  ])("more that is no more is refused: %j", (more, answer) => {
    const play = scene({ a: 4 });
    const description = { ...JOB_DEFAULTS, executable: "x", ...more };
    const said = play.ask({
      ...{ kind: "submit", job: "j", description, consumer: "vo", owner: "ann", inputBytes: 0 },
    });
    expect(said).toContain(answer === "accepted" ? "ok" : answer);
  });

  it("memory grows by the factor up to the bound, where the job ends as it died", () => {
    const play = scene({ a: 4 });
    const more = { memoryBytes: UNIT, retryMemoryBytes: 3 * UNIT, retryCount: 5 };
    const states = ends(play, more, [noMemory, noMemory, noMemory]);
    expect(states).toEqual(["WAITING", "WAITING", "ABORTED"]);
    expect(play.records.get("j")?.retried).toEqual({
      ...{ deep: 0, shallow: 0, at: [] },
      larger: [
        { of: "memory", from: UNIT, to: 2 * UNIT },
        { of: "memory", from: 2 * UNIT, to: 3 * UNIT },
      ],
    });
    expect(play.records.get("j")?.abortReason).toEqual({ kind: "lost", detail: "too much" });
    expect(textOfEnds(play)).toEqual([
      "lost: too much; it is tried again with 128M of memory instead of 64M",
      "lost: too much; it is tried again with 192M of memory instead of 128M",
      "lost: too much",
    ]);
  });

  it("the time limit grows from the site's own where the job names none; memory stays as it is", () => {
    const play = scene({ a: 4 });
    const more = { retryTimeMs: 4 * HOUR, retryFactor: 1.5 };
    expect(ends(play, more, [tooLate, tooLate])).toEqual(["WAITING", "WAITING"]);
    expect(described(play)).toMatchObject({ wallTimeMs: 2.25 * HOUR });
    expect(described(play)).not.toHaveProperty("memoryBytes");
    const job = play.records.get("j") ?? expect.fail("no job");
    const { causes } = explain(play.projection, job, play.now);
    const larger = [
      { of: "time", from: HOUR, to: 1.5 * HOUR },
      { of: "time", from: 1.5 * HOUR, to: 2.25 * HOUR },
    ];
    expect(causes).toContainEqual({ kind: "retried", deep: 0, shallow: 0, at: [], larger });
  });

  it.each([
    ["its own exit code", { retryMemoryBytes: 9 * UNIT, memoryBytes: UNIT }, { exitCode: 1 }, "DONE"],
    ["a limit, where it allows memory only", { retryMemoryBytes: 9 * UNIT }, tooLate, "DONE"],
    ["no memory, where it allows time only", { retryTimeMs: 9 * HOUR }, noMemory, "ABORTED"],
    ["more than any site has", { memoryBytes: 9 * UNIT, retryMemoryBytes: 99 * UNIT }, noMemory, "ABORTED"],
    ["a delay cost, admitted as it was", { retryTimeMs: 9 * HOUR, delayCostSuPerHour: 0 }, tooLate, "DONE"],
    [
      "a kill with less memory than it asked for",
      { memoryBytes: UNIT, retryMemoryBytes: 2 * UNIT },
      { ...killed, peakMemoryBytes: UNIT - 1 },
      "DONE",
    ],
  ])("%s ends it", (_, more, end, state) => {
    expect(ends(scene({ a: 4 }), more, [end])).toEqual([state]);
  });

  it("a kill counts where the job had as much as it asked for, also told by a shell", () => {
    for (const end of [killed, { exitCode: 137 }]) {
      const play = scene({ a: 4 });
      const more = { memoryBytes: UNIT, retryMemoryBytes: 2 * UNIT };
      expect(ends(play, more, [{ ...end, peakMemoryBytes: UNIT }])).toEqual(["WAITING"]);
      expect(described(play)).toMatchObject({ memoryBytes: 2 * UNIT });
    }
  });

  it("a cancelled one stays cancelled, and the site is not blamed", () => {
    const play = scene({ a: 4, b: 4 });
    ends(play, { memoryBytes: UNIT, retryMemoryBytes: 4 * UNIT }, [noMemory]);
    play.settle();
    expect(play.records.get("j")?.site).toBe("a");
    play.running("j");
    play.act("cancel", "j");
    play.ended("j", tooLate);
    expect(play.state("j")).toBe("DONE");
  });

  it("with any interleaving of deaths every job ends once, for a stated reason, within its bounds", () => {
    const end = fc.constantFrom(noMemory, tooLate, killed, { exitCode: 0 }, {
      cause: "lost",
      detail: "gone",
    } as const);
    const records = fc.record({
      memoryBytes: fc.integer({ min: 1, max: 4 * UNIT }),
      retryMemoryBytes: fc.integer({ min: 1, max: 8 * UNIT }),
      retryTimeMs: fc.integer({ min: 1, max: 100 * HOUR }),
      retryFactor: fc.constantFrom(1.1, 1.5, 2, 10),
      retryCount: fc.integer({ min: 0, max: 3 }),
    });
    const given = records.filter((one) => one.retryMemoryBytes > one.memoryBytes);
    fc.assert(
      fc.property(given, fc.array(end, { maxLength: 40 }), (more, all) => {
        const play = scene({ a: 4 });
        play.submit("j", 1, more);
        for (const one of [...all, { exitCode: 0 }]) {
          if (isFinal(play.records.get("j")?.state ?? "DONE")) break;
          play.settle();
          play.running("j");
          play.ended("j", one);
        }
        const record = play.records.get("j") ?? expect.fail("no job");
        expect(isFinal(record.state)).toBe(true);
        if (record.state === "ABORTED") expect(record.abortReason?.detail).not.toBe("");
        const last = play.log.filter((event) => event.kind === "attemptEnded" && event.retry === undefined);
        expect(last).toHaveLength(1);
        const { larger = [], deep = 0 } = record.retried ?? {};
        expect(larger.length).toBeLessThanOrEqual(10);
        expect(deep).toBeLessThanOrEqual(more.retryCount);
        for (const { of, from, to } of larger) {
          expect(to).toBeGreaterThan(from ?? 0);
          expect(to).toBeLessThanOrEqual(of === "memory" ? more.retryMemoryBytes : more.retryTimeMs);
        }
      }),
      draws(200),
    );
  });
});
