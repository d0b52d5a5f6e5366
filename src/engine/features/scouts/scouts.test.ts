import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS, type JobDescription, type ScoutMode, type Search } from "../../../model/index.ts";
import { arrayRecord, explain, restore } from "../../index.ts";
import { noScoutEnded, scoutIndexes, scoutProposal } from "../../state/scouts.ts";

const MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;

/** A sweep of so many points with scouts. */
function submitSweep(play: Scene, size: number, scouts: ScoutMode, more: Partial<JobDescription> = {}): void {
  const parameters = [{ name: "x", from: 0, step: 1, count: size }];
  const description = {
    ...JOB_DEFAULTS,
    ...{ executable: "true", array: `0-${size - 1}`, wallTimeMs: 4 * HOUR, memoryBytes: 100 * MEBIBYTE },
    sweep: { parameters, combine: "product" as const, scouts },
    ...more,
  };
  const command = { kind: "submitArray", array: "a", description, consumer: "vo/g/u", owner: "u1" } as const;
  expect(play.ask(command)).toBe("ok");
}

/** Ends a job after a run of so long, with so much memory. */
function run(play: Scene, job: string, ms: number, end: { exitCode?: number; peak?: number } = {}): void {
  play.running(job);
  play.now += ms;
  const { exitCode = 0, peak } = end;
  play.ended(job, { exitCode, ...(peak === undefined ? {} : { peakMemoryBytes: peak }) });
}

const decideScouts = (play: Scene, isUsed: boolean) =>
  play.ask({ kind: "decideScouts", array: "a", isUsed, by: "u1" });
const summaryOf = (play: Scene) => play.projection.arrays.get("a")?.accepted.scouts;
const limits = (play: Scene, job: string) => {
  const { wallTimeMs, memoryBytes } = play.records.get(job)?.description ?? {};
  return [wallTimeMs, memoryBytes];
};

describe("scouts of sweeps", () => {
  it("EN-360 1 %, at least 3, are spread over the points", () => {
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
    expect(scoutIndexes(upTo(2))).toEqual([0, 1]);
    expect(scoutIndexes(upTo(10))).toEqual([0, 3, 6]);
    expect(scoutIndexes(upTo(401))).toEqual([0, 80, 160, 240, 320]);
    expect(scoutIndexes([4, 8, 15, 16, 23])).toEqual([4, 8, 16]);
  });

  it("EN-360 a proposal adds half of the time and a quarter of the memory, below what is asked for", () => {
    const summary = { ...noScoutEnded(3), ok: 1, longestMs: MINUTE, peakMemoryBytes: 60 * MEBIBYTE };
    expect(scoutProposal(summary, {})).toEqual({ wallTimeMs: 2 * MINUTE, memoryBytes: 128 * MEBIBYTE });
    expect(scoutProposal(summary, { wallTimeMs: 2 * MINUTE, memoryBytes: 2 * MEBIBYTE })).toBeUndefined();
    expect(scoutProposal({ ...summary, ok: 0 }, {})).toBeUndefined();
  });

  it("EN-360 a sweep of three jobs has no scouts", () => {
    const play = scene({ here: 8 });
    submitSweep(play, 3, "use");
    expect(play.settle()).toEqual(["a-0", "a-1", "a-2"]);
    expect(summaryOf(play)).toBeUndefined();
  });

  it.each(["propose", "use"] as const)(
    "EN-360 with %s, too, failed scouts leave the decision to the user",
    (mode) => {
      const play = scene({ here: 8 });
      submitSweep(play, 5, mode);
      for (const job of play.settle()) run(play, job, MINUTE, { exitCode: 2 });
      expect(play.settle()).toEqual([]);
      expect(summaryOf(play)).toMatchObject({ ok: 0, outcome: "waiting" });
    },
  );

  it("EN-360 they run first, and the others with what these needed", () => {
    const play = scene({ here: 8 });
    submitSweep(play, 10, "use");
    expect(play.settle()).toEqual(["a-0", "a-3", "a-6"]);
    const waiting = play.records.get("a-1");
    expect(waiting && explain(play.projection, waiting, play.now).causes).toEqual([
      { kind: "scoutsFirst", array: "a", left: 3, isUndecided: false },
    ]);
    expect(decideScouts(play, true)).toBe("scoutsNotDecidable");
    run(play, "a-0", 5 * MINUTE, { peak: 50 * MEBIBYTE });
    run(play, "a-3", 7 * MINUTE, { peak: 40 * MEBIBYTE });
    expect(play.settle()).toEqual([]);
    run(play, "a-6", 1 * MINUTE, { exitCode: 1, peak: 900 * MEBIBYTE });
    expect(play.settle()).toEqual(["a-1", "a-2", "a-4", "a-5", "a-7", "a-8", "a-9"]);
    // What failed is not measured.
    expect(summaryOf(play)).toMatchObject({ ended: 3, ok: 2, longestMs: 7 * MINUTE, outcome: "used" });
    expect(limits(play, "a-9")).toEqual([11 * MINUTE, 64 * MEBIBYTE]);
    expect(limits(play, "a-0")).toEqual([4 * HOUR, 100 * MEBIBYTE]);
  });

  it("EN-360 without a decision they run as described; those that wait can take the proposal later", () => {
    const play = scene({ here: 3 });
    submitSweep(play, 9, "propose");
    for (const job of play.settle()) run(play, job, MINUTE);
    expect(play.settle()).toEqual(["a-1", "a-2", "a-4"]);
    // All others are in the queue of the only site.
    expect(limits(play, "a-4")).toEqual([4 * HOUR, 100 * MEBIBYTE]);
    expect(summaryOf(play)).toMatchObject({ outcome: "kept", proposal: { wallTimeMs: 2 * MINUTE } });
    expect(decideScouts(play, false)).toBe("ok");
    expect(decideScouts(play, true)).toBe("ok");
    expect(decideScouts(play, true)).toBe("scoutsNotDecidable");
  });

  it("EN-360 they wait for a decision where asked, or where no scout succeeded, also after a restart", () => {
    const play = scene({ here: 8 });
    submitSweep(play, 5, "wait");
    for (const job of play.settle()) run(play, job, MINUTE, { exitCode: 2 });
    expect(play.settle()).toEqual([]);
    const record = [...play.projection.arrays.values()].map((state) => arrayRecord(state, play.now));
    const sites = [...play.projection.sites.values()].map(({ name, spec }) => ({
      ...{ name, spec, order: 1, isDraining: false },
    }));
    const jobs = [...play.projection.jobs.values()];
    play.projection = restore({ ...NOTHING_STORED, sites, jobs, arrays: record, accepted: 5 }, play.now);
    expect(play.settle()).toEqual([]);
    const waiting = play.records.get("a-2");
    expect(waiting && explain(play.projection, waiting, play.now).causes).toEqual([
      { kind: "scoutsFirst", array: "a", left: 0, isUndecided: true },
    ]);
    expect(decideScouts(play, true)).toBe("scoutsNotDecidable");
    expect(decideScouts(play, false)).toBe("ok");
    expect(play.settle()).toEqual(["a-2", "a-4"]);
  });

  it("EN-360 an edited job stays as edited, and a limit on jobs at once holds", () => {
    const play = scene({ here: 8 });
    submitSweep(play, 6, "use", { array: "0-5%1" });
    const edited = { kind: "editJob", job: "a-5", change: { wallTimeMs: HOUR }, by: "u1" } as const;
    expect(play.ask(edited)).toBe("ok");
    for (const job of ["a-0", "a-2", "a-4"]) {
      expect(play.settle()).toEqual([job]);
      run(play, job, MINUTE);
    }
    expect(play.settle()).toEqual(["a-1"]);
    expect([limits(play, "a-5")[0], limits(play, "a-3")[0]]).toEqual([HOUR, 2 * MINUTE]);
  });

  it("EN-360 a search has none, since its points are chosen from earlier results", () => {
    const play = scene({ here: 8 });
    const parameters = [{ name: "x", from: 0, step: 1, count: 50 }];
    const search: Search = {
      ...{ objective: { kind: "exitCode" }, goal: "minimize", parallel: 1, evaluations: 9 },
      method: { kind: "annealing", seed: 1, restarts: 1 },
    };
    const description: JobDescription = {
      ...{ ...JOB_DEFAULTS, executable: "true", array: "0-8%1" },
      sweep: { parameters, combine: "product", scouts: "use", search },
    };
    const command = {
      kind: "submitArray",
      array: "a",
      description,
      consumer: "vo/g/u",
      owner: "u1",
    } as const;
    expect(play.ask(command)).toBe("badArray");
  });
});
