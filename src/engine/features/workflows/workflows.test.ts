import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { at, record, request, START, site, USER } from "../../../../test/reservation-scene.ts";
import type { Command, OfKind, WorkflowTask } from "../../../model/index.ts";
import type { TaskReport } from "./task-changes.ts";

const ID = "wwwwwwwwwwww";
const MINUTE = 60_000;
const program = { executable: "true", arguments: [], environment: {} };
type Start = OfKind<Command, "startWorkflow">;

/** a, then b beside c on two processors, then d, in one reservation of an hour that begins in an hour. */
const place = (task: number, fromMin: number, toMin: number) => ({
  ...{ task, pilot: 0 },
  startMs: START + HOUR + fromMin * MINUTE,
  endMs: START + HOUR + toMin * MINUTE,
});
const start = (more: Partial<Start> = {}): Start => ({
  ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: USER },
  ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
  tasks: [
    { id: "a", procs: 1, runtimeMs: 10 * MINUTE, parents: [], program },
    { id: "b", procs: 2, runtimeMs: 10 * MINUTE, parents: [0], program },
    { id: "c", procs: 2, runtimeMs: 10 * MINUTE, parents: [0], program },
    { id: "d", procs: 1, runtimeMs: 10 * MINUTE, parents: [1, 2], program },
  ],
  pilots: [
    {
      ...{ job: `${ID}-p0`, reservation: "r0", site: "here", procs: 4 },
      ...{ startMs: START + HOUR, endMs: START + 2 * HOUR },
    },
  ],
  places: [place(0, 0, 15), place(1, 15, 30), place(2, 15, 30), place(3, 30, 45)],
  ...more,
});

function offered(): Scene {
  const play = site();
  expect(play.ask(request("r0"))).toBe("ok");
  return play;
}

/** The pilot has begun. */
function begun(more: Partial<Start> = {}): Scene {
  const play = offered();
  expect(play.ask(start(more))).toBe("ok");
  at(play, START + HOUR);
  play.running(`${ID}-p0`);
  play.settle();
  return play;
}

const tasks = (play: Scene): readonly WorkflowTask[] =>
  [0, 1, 2, 3].flatMap((number) => play.projection.books.workflowTasks.get(`${ID}/${number}`) ?? []);
const states = (play: Scene): string =>
  tasks(play)
    .map(({ id, state }) => `${id} ${state}`)
    .join(", ");
const workflow = (play: Scene) => play.projection.books.workflows.get(ID);

/** Reports of the pilot at the present instant. */
function report(play: Scene, reports: readonly Partial<TaskReport>[], isOver = false): void {
  const whole = reports.map((one) => ({ task: 0, attempt: 1, atMs: play.now, ...one }));
  const command = { kind: "reportTasks", workflow: ID, pilot: 0, readBytes: 0, isOver } as const;
  expect(play.ask({ ...command, reports: whole })).toBe("ok");
  play.settle();
}

describe("execution of a workflow", () => {
  it("EN-210 a reservation has memory and GPUs for its tasks at once, as its pilot and they request", () => {
    const play = offered();
    const of = start();
    const withNeeds = (needs: object, pilot: object): Partial<Start> => ({
      tasks: of.tasks.map((task, number) => ({ ...task, ...(number > 0 && number < 3 ? needs : {}) })),
      pilots: of.pilots.map((one) => ({ ...one, ...pilot })),
    });
    const needs = { memoryBytes: 3, gpus: 1 };
    expect(play.ask(start(withNeeds(needs, { memoryBytes: 5, gpus: 2 })))).toBe("workflowInvalid");
    expect(play.ask(start(withNeeds(needs, { memoryBytes: 6, gpus: 1 })))).toBe("workflowInvalid");
    expect(play.ask(start(withNeeds({ gpus: -1 }, {})))).toBe("workflowInvalid");
    expect(play.ask(start(withNeeds(needs, { memoryBytes: 6, gpus: 2 })))).toBe("ok");
    expect(play.projection.jobs.get(`${ID}-p0`)?.description).toMatchObject({ memoryBytes: 6, gpus: 2 });
    expect(tasks(play)[1]).toMatchObject(needs);
  });

  it("EN-210 reserves all of a plan, or nothing of it", () => {
    const play = offered();
    const second = { job: `${ID}-p1`, reservation: "r9", site: "here", procs: 1 };
    const more = { ...second, startMs: START + HOUR, endMs: START + 2 * HOUR };
    expect(play.ask(start({ pilots: [...start().pilots, more] }))).toBe("unknownReservation");
    expect(record(play, "r0")?.state).toBe("OFFERED");
    expect(play.ask(start({ mostProcMs: 1 }))).toBe("planDearer");
    expect(record(play, "r0")?.state).toBe("OFFERED");
    expect(play.ask(start())).toBe("ok");
    expect(record(play, "r0")?.state).toBe("ACCEPTED");
    expect(workflow(play)?.promised).toEqual({ endMs: START + HOUR + 45 * MINUTE, procMs: 4 * HOUR });
  });

  it("EN-210 refuses tasks that wait for each other, and places outside their reservation", () => {
    const [first, ...rest] = start().tasks;
    const circle = start({ tasks: [{ ...first, parents: [3] }, ...rest] });
    expect(offered().ask(circle)).toBe("workflowInvalid");
    const outside = start({ places: [place(0, 50, 70)] });
    expect(offered().ask(outside)).toBe("workflowInvalid");
    const narrow = start({ pilots: start().pilots.map((pilot) => ({ ...pilot, procs: 3 })) });
    expect(offered().ask(narrow)).toBe("workflowInvalid");
  });

  it("EN-211 one pilot is handed tasks once their parents have ended, and ends with the last", () => {
    const play = begun();
    expect(states(play)).toBe("a ORDERED, b WAITING, c WAITING, d WAITING");
    report(play, [{}, { exitCode: 0 }]);
    expect(states(play)).toBe("a DONE, b ORDERED, c ORDERED, d WAITING");
    report(play, [{ task: 1, exitCode: 0 }, { task: 2 }]);
    expect(states(play)).toBe("a DONE, b DONE, c RUNNING, d WAITING");
    report(play, [{ task: 2, exitCode: 0 }]);
    report(play, [{ task: 3, exitCode: 0 }]);
    expect(workflow(play)).toMatchObject({ state: "DONE", pilots: [{ orders: 4, state: "DISMISSED" }] });
    report(play, [], true);
    expect(record(play, "r0")).toBeUndefined();
    expect(play.log.filter(({ kind }) => kind === "reservationRelinquished")).toHaveLength(1);
    expect(play.log.filter(({ kind }) => kind === "jobAccepted")).toHaveLength(1);
  });

  it("EN-211 reports that come twice, or of an earlier attempt, change nothing", () => {
    const play = begun({ retries: 1 });
    report(play, [{ exitCode: 3 }, { exitCode: 3 }]);
    expect(tasks(play)[0]).toMatchObject({ state: "ORDERED", attempt: 2 });
    report(play, [{ exitCode: 3 }]);
    expect(tasks(play)[0]).toMatchObject({ state: "ORDERED", attempt: 2 });
    report(play, [{ attempt: 2, exitCode: 0 }]);
    expect(tasks(play)[0]).toMatchObject({ state: "DONE" });
    expect(workflow(play)?.departures).toEqual({ late: 0, failed: 1, lost: 0 });
  });

  it("EN-212 a task with retries of its own is run again so often, but not after its last exit code", () => {
    const [first, ...rest] = start().tasks;
    const play = begun({ tasks: [{ ...first, retries: 5, unlessExit: 9 }, ...rest] });
    report(play, [{ exitCode: 3 }]);
    expect(tasks(play)[0]).toMatchObject({ state: "ORDERED", attempt: 2 });
    report(play, [{ attempt: 2, exitCode: 9 }]);
    expect(tasks(play)[0]).toMatchObject({ state: "FAILED", exitCode: 9 });
  });

  it("EN-212 a task that failed for good leaves the rest; continuing repeats nothing that is done", () => {
    const play = begun();
    report(play, [{ exitCode: 0 }]);
    report(play, [
      { task: 1, exitCode: 2 },
      { task: 2, exitCode: 0 },
    ]);
    expect(states(play)).toBe("a DONE, b FAILED, c DONE, d WAITING");
    expect(workflow(play)?.state).toBe("FAILED");
    expect(play.ask({ kind: "continueWorkflow", workflow: ID, by: "u1" })).toBe("ok");
    expect(states(play)).toBe("a DONE, b WAITING, c DONE, d WAITING");
    expect(play.ask({ kind: "queueWorkflow", workflow: ID, why: "no plan" })).toBe("ok");
    play.settle();
    expect(states(play)).toBe("a DONE, b ORDERED, c DONE, d WAITING");
    expect(play.projection.jobs.get(`${ID}-t1-2`)?.description.userTags).toEqual({ workflow: ID });
  });

  it("EN-212 tags of the workflow are those of its pilots, and of tasks that are jobs", () => {
    const tagged = { userTags: { run: "7", workflow: "mine" } };
    const whole = { run: "7", workflow: ID };
    expect(begun(tagged).projection.jobs.get(`${ID}-p0`)?.description.userTags).toEqual(whole);
    const play = site();
    expect(play.ask(start({ ...tagged, isBestEffort: true, pilots: [], places: [] }))).toBe("ok");
    play.settle();
    expect(play.projection.jobs.get(`${ID}-t0-1`)?.description.userTags).toEqual(whole);
  });

  it("EN-213 what runs late, and what has no time left, is recorded; the latter waits for a new plan", () => {
    const play = begun();
    report(play, [{}]);
    at(play, START + HOUR + 16 * MINUTE);
    expect(workflow(play)?.departures.late).toBe(1);
    at(play, START + HOUR + 52 * MINUTE);
    report(play, [{ exitCode: 0 }]);
    expect(tasks(play).map(({ place: own }) => own?.pilot)).toEqual([0, undefined, undefined, 0]);
    expect(play.log.filter(({ kind }) => kind === "workflowDeparted")).toHaveLength(2);
  });

  it("EN-213 with a pilot its tasks are lost, and not those of others", () => {
    const play = begun();
    report(play, [{}]);
    at(play, START + HOUR + 5 * MINUTE);
    report(play, [], true);
    expect(tasks(play)[0]).toMatchObject({ state: "WAITING", place: null, attempt: 1, tries: 0 });
    expect(workflow(play)).toMatchObject({ departures: { lost: 1 }, lostProcMs: 5 * MINUTE });
  });

  it("EN-214 cancelled, its jobs end and its reservations are given up", () => {
    const play = begun();
    expect(play.ask({ kind: "cancelWorkflow", workflow: ID, by: "u1" })).toBe("ok");
    play.settle();
    expect(workflow(play)?.state).toBe("CANCELLED");
    expect(play.projection.jobs.get(`${ID}-p0`)?.isCancelRequested).toBe(true);
    expect(record(play, "r0")).toBeUndefined();
    expect(play.ask({ kind: "cancelWorkflow", workflow: ID, by: "u1" })).toBe("wrongWorkflowState");
  });

  it("EN-214 as best effort each task is a job, submitted once its parents have ended", () => {
    const play = site();
    expect(play.ask(start({ isBestEffort: true, pilots: [], places: [] }))).toBe("ok");
    play.settle();
    expect(states(play)).toBe("a ORDERED, b WAITING, c WAITING, d WAITING");
    play.running(`${ID}-t0-1`);
    expect(states(play)).toContain("a RUNNING");
  });
});
