import { describe, expect, it } from "vitest";
import { type RecordedRun, withRecordedRuntimes } from "./recorded-runtimes.ts";

const task = (id: string, executable: string, words: readonly string[] = [], procs = 2) => ({
  ...{ id, procs, parents: [], program: { executable, arguments: words, environment: {} } },
});
const runsOf = (executable: string, words: readonly string[], secs: readonly number[]): RecordedRun[] =>
  secs.map((sec) => ({ executable, arguments: words, procs: 2, ranMs: sec * 1000 }));
const recorded = (runs: readonly RecordedRun[], ...tasks: readonly ReturnType<typeof task>[]) =>
  withRecordedRuntimes({ name: "flow", tasks }, runs);

describe("runtimes from records (PL-41)", () => {
  it("PL-41 the median of jobs with the same program, arguments and processors, with its quantiles", () => {
    const runs = [
      ...runsOf("/bin/sim", ["-a"], [40, 10, 20]),
      ...runsOf("/bin/sim", ["-b"], [900, 900, 900]),
      { ...runsOf("/bin/sim", ["-a"], [500])[0], procs: 4 },
    ];
    const { draft, remarks } = recorded(runs, task("x", "/bin/sim", ["-a"]), task("y", "/bin/sim", ["-a"]));
    expect(draft.tasks[1]).toMatchObject({
      runtimeMs: 20_000,
      quantilesMs: [
        [0.25, 10_000],
        [0.5, 20_000],
        [0.75, 40_000],
      ],
    });
    expect(remarks).toEqual([
      "runtime of x and y: 20s, the median of your 3 successful jobs of /bin/sim with the same arguments " +
        "on 2 processors (10s to 40s)",
    ]);
  });

  it("PL-41 other arguments count where too few jobs had the same ones, but not of an interpreter", () => {
    const runs = [
      ...runsOf("/bin/sim", ["-a"], [10, 30]),
      ...runsOf("/bin/sim", ["-b"], [20, 60]),
      ...runsOf("/usr/bin/python3.12", ["one.py"], [1, 1, 1]),
    ];
    const { draft, remarks } = recorded(
      runs,
      task("x", "/bin/sim", ["-c"]),
      task("p", "/usr/bin/python3.12", ["two.py"]),
    );
    expect(draft.tasks.map((one) => one.runtimeMs)).toEqual([25_000, undefined]);
    expect(remarks).toEqual([expect.stringMatching(/^runtime of x: 25s, .* 4 .* any arguments/)]);
  });

  it("PL-41 fewer than three jobs, other processors and stated runtimes change nothing", () => {
    const runs = runsOf("/bin/sim", [], [10, 20]);
    const stated = { ...task("s", "/bin/sim"), runtimeMs: 5 };
    const { draft, remarks } = recorded([...runs, ...runs], task("w", "/bin/sim", [], 4), stated);
    expect(draft.tasks.map((one) => one.runtimeMs)).toEqual([undefined, 5]);
    expect(recorded(runs, task("x", "/bin/sim")).draft.tasks[0].runtimeMs).toBeUndefined();
    expect(remarks).toEqual([]);
  });

  it("PL-41 many runs have 20 quantiles; a task that is bound to a site has its runtime there", () => {
    const secs = Array.from({ length: 101 }, (_, at) => 101 - at);
    const bound = {
      ...{ id: "b", procs: 2, parents: [] },
      recordedAs: { executable: "/bin/sim", arguments: [], site: "near" },
    };
    const { draft } = withRecordedRuntimes(
      { name: "flow", tasks: [task("x", "/bin/sim"), bound] },
      runsOf("/bin/sim", [], secs),
    );
    const { quantilesMs = [], runtimeMs } = draft.tasks[0];
    expect(runtimeMs).toBe(51_000);
    expect(quantilesMs).toHaveLength(20);
    expect([quantilesMs[0][1], quantilesMs[19][1]]).toEqual([1000, 101_000]);
    expect(quantilesMs).toEqual(quantilesMs.toSorted(([one], [other]) => one - other));
    expect(draft.tasks[1].runtimesMs).toEqual({ near: 51_000 });
  });
});
