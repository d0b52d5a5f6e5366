import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { at, request, START, site, USER } from "../../../../test/reservation-scene.ts";
import type { Command, FileMoves, OfKind, PlannedFile, WorkflowFile } from "../../../model/index.ts";
import { whyNotFiles } from "./why-not-files.ts";
import { dueMoves } from "./workflow-files.ts";

const ID = "wwwwwwwwwwww";
const MINUTE = 60_000;
const program = { executable: "true", arguments: [], environment: {} };
const SUM = "a".repeat(64);
type Start = OfKind<Command, "startWorkflow">;

const file = (name: string, writer: number | null, isResult = false): PlannedFile => {
  return { name, writer, isResult, bytes: null, checksum: null };
};

/** Task a writes x; b, in a second pilot, reads x and the user's file u, and writes the result y. */
function start(more: Partial<Start> = {}): Start {
  const pilot = { site: "here", procs: 2, startMs: START + HOUR, endMs: START + 2 * HOUR };
  return {
    ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: USER },
    ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
    files: [file("u", null), file("x", 0), file("y", 1, true)],
    tasks: [
      { id: "a", procs: 1, runtimeMs: 10 * MINUTE, parents: [], program, writes: [1] },
      { id: "b", procs: 1, runtimeMs: 10 * MINUTE, parents: [0], program, reads: [0, 1], writes: [2] },
    ],
    pilots: [0, 1].map((number) => ({ ...pilot, job: `${ID}-p${number}`, reservation: `r${number}` })),
    places: [0, 1].map((task) => ({ task, pilot: task, ...pilot })),
    ...more,
  };
}

/** Both pilots run. */
function begun(): Scene {
  const play = site();
  for (const id of ["r0", "r1"]) expect(play.ask(request(id, { procs: 2 }))).toBe("ok");
  expect(play.ask(start())).toBe("ok");
  at(play, START + HOUR);
  for (const pilot of [0, 1]) play.running(`${ID}-p${pilot}`);
  play.settle();
  return play;
}

const states = (play: Scene): string =>
  [0, 1].map((number) => play.projection.books.workflowTasks.get(`${ID}/${number}`)?.state).join(" ");
const fileAt = (play: Scene, number: number): WorkflowFile | undefined =>
  play.projection.books.workflowFiles.get(`${ID}/${number}`);
const due = (play: Scene) => {
  const { fetch, send, remove } = dueMoves(play.projection, ID);
  return {
    fetch: fetch.map(({ name }) => name).join(" "),
    send: send.map(({ file: { name }, pilot }) => `${name}>${pilot}`).join(" "),
    remove: remove.map(({ name }) => name).join(" "),
  };
};

/** Task a or b ends in its pilot with its output. */
function ends(play: Scene, task: 0 | 1, attempt = 1): void {
  const report = { task, attempt, atMs: play.now };
  const command = { kind: "reportTasks", workflow: ID, pilot: task, readBytes: 0, isOver: false } as const;
  const written = [{ file: task + 1, task, attempt, bytes: 3, checksum: SUM }];
  expect(play.ask({ ...command, reports: [report, { ...report, exitCode: 0 }], written })).toBe("ok");
  play.settle();
}

function moved(play: Scene, moves: Partial<FileMoves>): void {
  const none = { stored: [], sent: [], lost: [], removed: [] };
  expect(play.ask({ kind: "noteWorkflowFiles", workflow: ID, ...none, ...moves })).toBe("ok");
  play.settle();
}

describe("EN-215 files of a workflow", () => {
  it("a task waits for its files, its inputs are removed, and its result is awaited", () => {
    const play = begun();
    expect(due(play)).toEqual({ fetch: "", send: "u>1", remove: "" });
    ends(play, 0);
    // The other pilot at this site reads x where it is; u is still on its way.
    expect([states(play), due(play)]).toEqual(["DONE WAITING", { fetch: "", send: "u>1", remove: "" }]);
    moved(play, { sent: [{ file: 0, pilot: 1 }] });
    expect(states(play)).toBe("DONE ORDERED");
    ends(play, 1);
    expect([states(play), due(play)]).toEqual(["DONE DONE", { fetch: "y", send: "", remove: "u x" }]);
    expect(play.projection.books.workflows.get(ID)?.state).toBe("RUNNING");
    moved(play, { stored: [{ file: 2, bytes: 3, checksum: SUM }], removed: [0, 1] });
    expect(play.projection.books.workflows.get(ID)?.state).toBe("DONE");
    expect(due(play)).toEqual({ fetch: "", send: "", remove: "y" });
    moved(play, { removed: [2] });
    expect([0, 1, 2].map((number) => fileAt(play, number)?.isStored)).toEqual([true, false, true]);
    expect(due(play)).toEqual({ fetch: "", send: "", remove: "" });
  });

  it("a result over the limit stays at its site, and the workflow ends", () => {
    const play = begun();
    moved(play, { sent: [{ file: 0, pilot: 1 }] });
    ends(play, 0);
    ends(play, 1);
    expect(play.projection.books.workflows.get(ID)?.state).toBe("RUNNING");
    moved(play, { tooLarge: [{ file: 2, mostBytes: 2 }], removed: [0, 1] });
    expect(play.projection.books.workflows.get(ID)?.state).toBe("DONE");
    expect(fileAt(play, 2)).toMatchObject({ isStored: false, overLimitBytes: 2, copies: [{ site: "here" }] });
    expect(due(play)).toEqual({ fetch: "", send: "", remove: "" });
  });

  it("an attempt without its input begins again; the task that wrote a lost file runs again", () => {
    const play = begun();
    moved(play, { sent: [{ file: 0, pilot: 1 }] });
    ends(play, 0);
    expect(states(play)).toBe("DONE ORDERED");
    const report = { kind: "reportTasks", workflow: ID, pilot: 1, readBytes: 0, isOver: false } as const;
    expect(play.ask({ ...report, reports: [], missing: [{ file: 0, task: 1, attempt: 1 }] })).toBe("ok");
    play.settle();
    expect([states(play), due(play).send]).toEqual(["DONE WAITING", "u>1"]);
    moved(play, { lost: [{ file: 1, job: `${ID}-p0` }] });
    expect(states(play)).toBe("WAITING WAITING");
    expect(play.projection.books.workflowTasks.get(`${ID}/0`)?.place).toBeNull();
  });

  it("a task in the queue that never leaves its output has failed, and does not run for ever", () => {
    const play = site();
    expect(play.ask(start({ isBestEffort: true, pilots: [], places: [] }))).toBe("ok");
    play.settle();
    for (let attempt = 1; attempt <= 11; attempt++) {
      const job = `${ID}-t0-${attempt}`;
      play.running(job);
      play.ended(job);
      play.settle();
      moved(play, { lost: [{ file: 1, job }] });
    }
    expect(states(play)).toBe("FAILED WAITING");
    expect(play.projection.books.workflowTasks.get(`${ID}/0`)).toMatchObject({ attempt: 11, exitCode: 66 });
    expect(play.projection.books.workflows.get(ID)?.state).toBe("FAILED");
  });

  it("for a task in the queue its inputs are at the broker first", () => {
    const play = site();
    expect(play.ask(start({ isBestEffort: true, pilots: [], places: [] }))).toBe("ok");
    play.settle();
    play.running(`${ID}-t0-1`);
    play.ended(`${ID}-t0-1`);
    play.settle();
    expect([states(play), due(play).fetch]).toEqual(["DONE WAITING", "x"]);
    moved(play, { stored: [{ file: 1, bytes: 3, checksum: SUM }] });
    expect(play.projection.jobs.get(`${ID}-t1-1`)?.description.inputSandbox).toEqual([
      `workflow:${ID}/0/./u`,
      `workflow:${ID}/1/./x`,
    ]);
  });

  it("for a task in the queue the directories of its outputs are made first", () => {
    const play = site();
    const files = [file("u", null), file("out/x", 0), file("y", 1, true)];
    expect(play.ask(start({ files, isBestEffort: true, pilots: [], places: [] }))).toBe("ok");
    play.settle();
    const { executable, arguments: words } = play.projection.jobs.get(`${ID}-t0-1`)?.description ?? {};
    expect([executable, words?.slice(3)]).toEqual(["/bin/sh", ["out", "--", "true"]]);
  });

  it("a file with two writers is refused with the names of both", () => {
    const tasks = start().tasks.map((task) => ({ ...task, writes: [2] }));
    const two = start({ tasks, isBestEffort: true, pilots: [], places: [] });
    const files = [file("u", null), file("x", 0), file("y", 1)];
    expect(whyNotFiles({ ...two, files })).toEqual({
      ...{ field: "tasks[0]", why: "y is written by both a and b" },
    });
  });

  it.each<[string, Partial<Start>]>([
    ["a directory of all tasks", { directory: "/shared" }],
    ["two files of one name", { files: [file("x", null), file("x", 0), file("y", 1)] }],
    ["a name outside the directory", { files: [file("../u", null), file("x", 0), file("y", 1)] }],
    ["a file that no task writes", { files: [file("u", null), file("x", 1), file("y", 1)] }],
    ["a reader that does not wait", { tasks: start().tasks.map((task) => ({ ...task, parents: [] })) }],
  ])("%s is refused", (_, more) => {
    const play = site();
    expect(play.ask(start({ ...more, isBestEffort: true, pilots: [], places: [] }))).toBe("workflowInvalid");
  });
});
