import { describe, expect, it } from "vitest";
import { readJobYaml } from "./read.ts";

const SWEEP = "sweep:\n  parameters: { x: { from: 0, to: 1 }, n: { from: 1, to: 3, step: 1 }, w: [a, b] }\n";

function read(search: string, more = "") {
  return readJobYaml(`executable: /bin/run\n${more}${SWEEP}  search: ${search}\n`, {
    folder: "/here",
    fileState: (path) => (path.endsWith("gone") ? "missing" : "readable"),
  });
}

describe("search", () => {
  it("FO-194 annealing with its numbers; a range without a step is fine", () => {
    const { jobs, problems } = read(
      "{ objective: { pattern: 'loss = (\\S+)' }, evaluations: 20, parallel: 4, seed: 7, t0: 2.5 }",
    );
    expect(problems).toEqual([]);
    expect(jobs[0]?.description).toMatchObject({
      array: "0-19%4",
      sweep: {
        parameters: [{ name: "x", from: 0, count: 10_001 }, { count: 3 }, { values: ["a", "b"] }],
        search: {
          ...{ objective: { kind: "pattern", pattern: "loss = (\\S+)" }, goal: "minimize", parallel: 4 },
          method: { kind: "annealing", seed: 7, t0: 2.5, restarts: 0 },
        },
      },
    });
  });

  it("FO-194 a program of the folder, and a field of a file", () => {
    const { jobs } = read(
      "{ objective: { json: a.b, file: out.json }, goal: maximize, evaluations: 3, program: ./choose.py 1 }",
    );
    expect(jobs[0]?.description.sweep?.search).toMatchObject({
      ...{ objective: { kind: "json", path: "a.b", file: "out.json" }, goal: "maximize" },
      method: { kind: "exec", command: ["/here/choose.py", "1"] },
    });
  });

  it.each([
    ["{ evaluations: 3 }", "objective"],
    ["{ objective: {}, evaluations: 3 }", "objective does not say"],
    ["{ objective: { json: a, exitCode: true }, evaluations: 3 }", "objective does not say"],
    ["{ objective: { exitCode: true, file: a }, evaluations: 3 }", "objective does not say"],
    ["{ objective: { pattern: '(' }, evaluations: 3 }", "cannot be used"],
    ["{ objective: { json: a } }", "evaluations"],
    ["{ objective: { json: a }, evaluations: 100000 }", "from 1 to 1000"],
    ["{ objective: { json: a }, evaluations: 3, method: exec }", "no program"],
    ["{ objective: { json: a }, evaluations: 3, program: gone }", "cannot be read"],
    ["{ objective: { json: a }, evaluations: 3, method: random, t0: 1 }", "t0 has no meaning"],
    ["{ objective: { json: a }, evaluations: 3, program: x, seed: 1 }", "seed has no meaning"],
    ["{ objective: { json: a }, evaluations: 3 }\n  where: x > 1", "where and search are given"],
  ])("FO-194 %j is refused", (text, what) => {
    const { jobs, problems } = read(text);
    expect(jobs).toEqual([]);
    expect(problems.map((one) => `${one.what}; ${one.why}`).join("; ")).toContain(what);
  });

  it("FO-194 a search depends on no job", () => {
    const { problems } = read("{ objective: { json: a }, evaluations: 3 }", "after: ok:7f3a\n");
    expect(problems.map(({ what }) => what)).toContain("after and search are given");
  });
});
