import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { at, request, START, site, USER } from "../../../../test/reservation-scene.ts";
import type { Command, NodeRules, OfKind } from "../../../model/index.ts";
import { remainderOf } from "./remainder.ts";

const ID = "wwwwwwwwwwww";
const program = { executable: "true", arguments: [], environment: {} };
type Start = OfKind<Command, "startWorkflow">;

/** Tasks of one processor, all in one reservation of four, each after its parents. */
function start(
  tasks: readonly (NodeRules & { readonly id: string; readonly parents?: readonly number[] })[],
  more: Partial<Start> = {},
): Start {
  const span = { startMs: START + HOUR, endMs: START + 2 * HOUR };
  return {
    ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: USER },
    ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
    tasks: tasks.map((task) => ({ procs: 1, runtimeMs: 60_000, parents: [], program, ...task })),
    pilots: [{ job: `${ID}-p0`, reservation: "r0", site: "here", procs: 4, ...span }],
    places: tasks.map((_, task) => ({ task, pilot: 0, ...span })),
    ...more,
  };
}

/** The pilot has begun. */
function begun(command: Start): Scene {
  const play = site();
  expect(play.ask(request("r0"))).toBe("ok");
  expect(play.ask(command)).toBe("ok");
  at(play, START + HOUR);
  play.running(`${ID}-p0`);
  play.settle();
  return play;
}

const states = (play: Scene): string =>
  [...play.projection.books.workflowTasks.values()].map(({ id, state }) => `${id} ${state}`).join(", ");
const workflow = (play: Scene) => play.projection.books.workflows.get(ID);

/** A task begins and, with an exit code, ends in the pilot. */
function ends(play: Scene, task: number, exitCode?: number, isOver = false): void {
  const report = { task, attempt: 1, atMs: play.now };
  const command = { kind: "reportTasks", workflow: ID, pilot: 0, readBytes: 0, isOver } as const;
  const reports = exitCode === undefined ? [report] : [report, { ...report, exitCode }];
  expect(play.ask({ ...command, reports })).toBe("ok");
  play.settle();
}

/** The job of the pilot has ended. */
function pilotEnds(play: Scene): void {
  expect(play.projection.jobs.get(`${ID}-p0`)?.isCancelRequested).toBe(true);
  const command = { kind: "reportTasks", workflow: ID, pilot: 0, readBytes: 0, reports: [] } as const;
  expect(play.ask({ ...command, isOver: true })).toBe("ok");
  play.settle();
}

describe("EN-216 rules of nodes in an executed workflow", () => {
  it("a final task starts when all others have ended or cannot run, and decides about the result", () => {
    const play = begun(
      start([
        { id: "a" },
        { id: "b", parents: [0] },
        { id: "c" },
        { id: "z", isFinal: true, parents: [0, 1, 2] },
      ]),
    );
    ends(play, 0, 1);
    expect(states(play)).toBe("a FAILED, b WAITING, c ORDERED, z WAITING");
    ends(play, 2, 0);
    expect(states(play)).toBe("a FAILED, b WAITING, c DONE, z ORDERED");
    ends(play, 3, 0);
    expect(workflow(play)?.state).toBe("DONE");
  });

  it("an exit code ends the workflow: the pilot is cancelled, and its tasks do not run again", () => {
    const abortOn = { exitCode: 3, result: 0 };
    const play = begun(start([{ id: "a", abortOn, retries: 2 }, { id: "b" }, { id: "c", parents: [0] }]));
    ends(play, 1);
    ends(play, 0, 3);
    expect(states(play)).toBe("a FAILED, b RUNNING, c WAITING");
    pilotEnds(play);
    expect(remainderOf(play.projection, ID, play.now)).toBeUndefined();
    expect(workflow(play)).toMatchObject({ state: "DONE", aborted: { task: 0, result: 0 } });
    expect(play.ask({ kind: "continueWorkflow", workflow: ID, by: "u1" })).toBe("wrongWorkflowState");
  });

  it("another result than 0 fails the workflow, which can be continued", () => {
    const play = begun(
      start([
        { id: "a", abortOn: { exitCode: 0, result: 4 } },
        { id: "b", parents: [0] },
      ]),
    );
    ends(play, 0, 0);
    expect(states(play)).toBe("a DONE, b WAITING");
    expect(workflow(play)?.state).toBe("FAILED");
    expect(play.ask({ kind: "continueWorkflow", workflow: ID, by: "u1" })).toBe("ok");
    play.settle();
    expect(workflow(play)?.aborted).toBeUndefined();
    expect(remainderOf(play.projection, ID, play.now)?.tasks.map(({ id }) => id)).toEqual(["b"]);
  });

  it("after an exit code that ends the workflow its final task is planned again, and runs", () => {
    const play = begun(
      start([
        { id: "a", abortOn: { exitCode: 3, result: 0 } },
        { id: "b" },
        { id: "z", isFinal: true, parents: [0, 1] },
      ]),
    );
    ends(play, 1);
    ends(play, 0, 3);
    pilotEnds(play);
    expect(remainderOf(play.projection, ID, play.now)?.tasks.map(({ id }) => id)).toEqual(["z"]);
    expect(play.ask({ kind: "queueWorkflow", workflow: ID, why: "no place" })).toBe("ok");
    play.settle();
    expect(states(play)).toBe("a FAILED, b WAITING, z ORDERED");
  });

  it("a category has no more tasks at work than its limit; those of larger priority are first", () => {
    const io = { category: "io" };
    const tasks = [{ id: "a", ...io }, { id: "b", ...io, priority: 5 }, { id: "c" }, { id: "d", ...io }];
    const play = begun(start(tasks, { limits: { maxRunningOf: { io: 1 } } }));
    expect(states(play)).toBe("a WAITING, b ORDERED, c ORDERED, d WAITING");
    ends(play, 1, 0);
    expect(states(play)).toBe("a ORDERED, b DONE, c ORDERED, d WAITING");
  });

  it("limits hold for tasks that are queued as jobs of their own", () => {
    const play = site();
    const tasks = [{ id: "a" }, { id: "b" }, { id: "c", priority: 1 }];
    const alone = { isBestEffort: true, pilots: [], places: [], limits: { maxRunning: 2 } };
    expect(play.ask(start(tasks, alone))).toBe("ok");
    play.settle();
    expect(states(play)).toBe("a ORDERED, b WAITING, c ORDERED");
  });

  it.each([
    [
      "two final tasks",
      [
        { id: "y", isFinal: true as const },
        { id: "z", isFinal: true as const },
      ],
    ],
    [
      "a task after the final one",
      [
        { id: "z", isFinal: true as const },
        { id: "a", parents: [0] },
      ],
    ],
  ])("%s are refused", (_, tasks) => {
    expect(site().ask(start(tasks, { isBestEffort: true, pilots: [], places: [] }))).toBe("workflowInvalid");
  });
});
