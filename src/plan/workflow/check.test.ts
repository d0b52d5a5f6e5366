import { describe, expect, it } from "vitest";
import { measuresOf, type TaskDraft, workflowOf } from "./index.ts";

const task = (id: string, parents: readonly string[] = [], more: Partial<TaskDraft> = {}): TaskDraft => ({
  ...{ id, procs: 1, runtimeMs: 1000, parents: parents.map((parent) => ({ id: parent, bytes: 8 })) },
  ...more,
});
const read = (...tasks: readonly TaskDraft[]) => workflowOf({ name: "w", tasks });
const problemsOf = (...tasks: readonly TaskDraft[]) => {
  const checked = read(...tasks);
  return checked.ok ? [] : checked.refusal.map(({ code, what }) => `${code}: ${what}`);
};

describe("the checks of a workflow", () => {
  it("PL-20 a cycle is named, each task before one that waits for it", () => {
    expect(problemsOf(task("a", ["c"]), task("b", ["a"]), task("c", ["b"]), task("d", ["a"]))).toEqual([
      expect.stringMatching(
        /^cycle: the dependencies of tasks form a cycle: (a → b → c → a|b → c → a → b|c → a → b → c)$/,
      ),
    ]);
    expect(problemsOf(task("a", ["a"]))).toEqual(["cycle: the dependencies of tasks form a cycle: a → a"]);
  });

  it.each([
    ["idMissing: a task has no id", [task("")]],
    ["duplicateTask: two tasks have the id a", [task("a"), task("a")]],
    ["unknownParent: task b depends on x, and there is no such task", [task("a"), task("b", ["x"])]],
    [
      "negativeBytes: a sends b a negative number of bytes",
      [task("a"), task("b", [], { parents: [{ id: "a", bytes: -1 }] })],
    ],
    ["negativeAmount: task a: runtime is not a whole amount from 0", [task("a", [], { runtimeMs: -1 })]],
    ["negativeAmount: task a: procs is not a whole amount from 0", [task("a", [], { procs: 1.5 })]],
    ["noTasks: the workflow has no tasks", []],
  ])("PL-20 %s", (problem, tasks) => {
    expect(problemsOf(...tasks)).toEqual([problem]);
  });

  it("PL-20 a task without a runtime is named, with its line", () => {
    const checked = read({ id: "a", procs: 1, parents: [], line: 7 });
    expect(checked).toMatchObject({ ok: false, refusal: [{ code: "runtimeMissing", line: 7 }] });
  });

  it("measures: levels, width, critical path, bytes and work", () => {
    const checked = read(
      task("a", [], { runtimeMs: 500, procs: 4 }),
      task("b", ["a"]),
      task("c", ["a"], { runtimeMs: 3000 }),
      task("d", ["b", "c"]),
    );
    expect(checked.ok && measuresOf(checked.value)).toEqual({
      ...{ tasks: 4, edges: 4, levels: 3, width: 2 },
      ...{ criticalPathMs: 4500, bytes: 32, workProcMs: 7000 },
    });
  });
});
