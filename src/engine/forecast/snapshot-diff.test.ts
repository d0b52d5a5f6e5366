/** What happened between looks. */
import { describe, expect, it } from "vitest";
import { foreignSpec, shown } from "../../../test/engine-scene.ts";
import { JOB_DEFAULTS, type JobRecord } from "../../model/index.ts";
import type { Survey, SurveyedEnd, SurveyedJob } from "../survey.ts";
import type { PastJob } from "./past-jobs.ts";
import { createSnapshotDiff, lookAgain, noteRecord, type SnapshotDiff } from "./snapshot-diff.ts";

const offer = foreignSpec(4);
const look = (
  sightings: SnapshotDiff,
  atMs: number,
  jobs: readonly SurveyedJob[],
  ended: SurveyedEnd[] = [],
) => {
  const survey: Survey = { atMs, jobs, ended, reservations: [] };
  return lookAgain(sightings, survey, offer).map(({ event, isLate }) => {
    const id = event.kind === "submitted" ? event.job.id : event.id;
    return `${event.atMs} ${event.kind} ${id}${isLate ? " late" : ""}`;
  });
};
const waits = (siteJob: string, submittedAtMs: number, more: Partial<SurveyedJob> = {}): SurveyedJob =>
  shown(siteJob, null, { state: "waiting", submittedAtMs, ...more });
const runs = (siteJob: string, submittedAtMs: number, startedAtMs: number): SurveyedJob =>
  shown(siteJob, null, { state: "running", submittedAtMs, startedAtMs });

describe("events between two snapshots", () => {
  it("is who came, started and left, at the times that the site tells, once", () => {
    const sightings = createSnapshotDiff();
    expect(look(sightings, 10, [waits("1", 5)])).toEqual(["5 submitted 1@5 late"]);
    expect(look(sightings, 20, [waits("1", 5), waits("2", 15)])).toEqual(["15 submitted 2@15"]);
    expect(look(sightings, 30, [runs("1", 5, 25), waits("2", 15)])).toEqual(["25 started 1@5"]);
    expect(look(sightings, 40, [runs("1", 5, 25), waits("2", 15)])).toEqual([]);
    expect(look(sightings, 50, [])).toEqual(["50 ended 1@5", "50 withdrawn 2@15"]);
  });

  it("counts a job from when it may start: not while it is held or waits for others", () => {
    const sightings = createSnapshotDiff();
    look(sightings, 10, []);
    const later = waits("2", 11, { eligibleAtMs: null });
    expect(look(sightings, 20, [shown("1", null, { state: "held", submittedAtMs: 12 }), later])).toEqual([]);
    const free = waits("2", 11, { eligibleAtMs: 25 });
    expect(look(sightings, 30, [waits("1", 12), free])).toEqual(["25 submitted 2@25", "30 submitted 1@30"]);
    const heldAgain = shown("1", null, { state: "held", submittedAtMs: 12 });
    expect(look(sightings, 40, [heldAgain, free])).toEqual(["40 withdrawn 1@30"]);
  });

  it("takes a run after a requeue for another job", () => {
    const sightings = createSnapshotDiff();
    look(sightings, 10, [runs("1", 0, 5)]);
    expect(look(sightings, 20, [waits("1", 0)])).toEqual(["20 ended 1@0", "20 submitted 1@20"]);
    look(sightings, 30, [runs("1", 0, 25)]);
    const again = look(sightings, 9000, [runs("1", 0, 8000)]);
    expect(again).toEqual(["8000 ended 1@20", "8000 submitted 1@8000", "8000 started 1@8000"]);
  });

  it("knows a task of an array that waited when it starts under its own name", () => {
    const sightings = createSnapshotDiff();
    look(sightings, 10, []);
    look(sightings, 20, [waits("7_[1-2]#0", 15), waits("7_[1-2]#1", 15)]);
    const started = look(sightings, 30, [waits("7_[2]#0", 15), runs("7_1", 15, 28)]);
    expect(started).toEqual(["28 started 7_[1-2]#1@15"]);
  });

  it("has the ends of our own from what the site tells of them", () => {
    const sightings = createSnapshotDiff();
    look(sightings, 10, []);
    look(sightings, 20, [waits("1", 15)]);
    const nothing = { signal: null, cpuMs: null, detail: null };
    const end = { cause: "exited", exitCode: 0, ...nothing } as const;
    const ended = { token: "a/1", siteJob: "1", startedAtMs: 21, endedAtMs: 27, end };
    expect(look(sightings, 30, [], [ended])).toEqual(["21 started 1@15", "27 ended 1@15"]);
  });

  it("does not count again what the accounting reported", () => {
    const job = { queue: "main", user: "", procs: 1, memoryBytes: 0, limitMs: 9, eligibleAtMs: 0 };
    const past: PastJob[] = [
      { ...job, id: "3#2", startedAtMs: 5, endedAtMs: null },
      { ...job, id: "4", startedAtMs: 5, endedAtMs: 8 },
    ];
    const sightings = createSnapshotDiff(past);
    expect(look(sightings, 10, [runs("3", 0, 5)])).toEqual([]);
    expect(look(sightings, 20, [])).toEqual(["20 ended 3#2"]);
  });
});

describe("events from a changed record", () => {
  const record = (change: Partial<JobRecord>): JobRecord => ({
    ...{
      id: "a",
      state: "SCHEDULED",
      description: { ...JOB_DEFAULTS, executable: "true" },
      consumer: "vo/u",
    },
    ...{ owner: "u", submittedAtMs: 5, order: 1, attempt: 1, site: "here", siteJob: null, restMs: null },
    ...{ startDecidedAtMs: null, startedAtMs: null, endedAtMs: null, result: null, exitCode: null },
    ...{ signal: null, isTimeLimit: false, cpuMs: null, isCancelRequested: false, abortReason: null },
    ...change,
  });
  const told = (sightings: SnapshotDiff, change: Partial<JobRecord>, nowMs: number) =>
    noteRecord(sightings, record(change), offer, nowMs).map(({ event }) => `${event.atMs} ${event.kind}`);

  it("is what the job went through", () => {
    const sightings = createSnapshotDiff();
    sightings.isFirst = false;
    expect(told(sightings, {}, 6)).toEqual(["5 submitted"]);
    expect(told(sightings, {}, 7)).toEqual([]);
    expect(told(sightings, { state: "HELD" }, 8)).toEqual(["8 withdrawn"]);
    expect(told(sightings, {}, 9)).toEqual(["9 submitted"]);
    expect(told(sightings, { state: "RUNNING", startedAtMs: 11 }, 12)).toEqual(["11 started"]);
    expect(told(sightings, { state: "SUSPENDED", startedAtMs: 11 }, 13)).toEqual([]);
    expect(told(sightings, { state: "DONE", startedAtMs: 11, endedAtMs: 14 }, 15)).toEqual(["14 ended"]);
    expect(told(sightings, { state: "DONE", startedAtMs: 11, endedAtMs: 14 }, 15)).toEqual([]);
  });
});
