import { describe, expect, it } from "vitest";
import type { PriorityRules } from "../../model/index.ts";
import { createMachine, createReplay, createScheme, followScheme, type Owner } from "../index.ts";

type Row = readonly [submitMs: number, user: string, procs: number, runtimeMs: number];

/** The starts of jobs on four processors, EASY over a priority; ids from 1. */
function startsUnder(rules: PriorityRules, rows: readonly Row[]): string {
  const starts: string[] = [];
  const followed = followScheme(createScheme(rules, 4), 4);
  const machine = createMachine([[4]], { discipline: "easy", priority: followed.priority });
  followed.attach(machine);
  const ownerOf = (id: number): Owner => ({ user: rows[id - 1][1], group: "g", queue: "1", partition: "1" });
  const replay = createReplay(machine, {
    arrived: ({ id, need, estimateMs, submitMs }, handle) =>
      followed.arrived(handle, { need, estimateMs, arrivedAtMs: submitMs, owner: ownerOf(id) }),
    started: ({ id, need }, _pool, atMs) => {
      followed.started(ownerOf(id), need[0], atMs);
      starts.push(`${id}@${atMs}`);
    },
    finished: ({ job: { id, need }, endMs }) => followed.ended(ownerOf(id), need[0], endMs),
  });
  for (const [i, [submitMs, , procs, runtimeMs]] of rows.entries()) {
    replay.offer({ id: i + 1, submitMs, need: [procs], estimateMs: runtimeMs, runtimeMs });
  }
  replay.finish();
  return starts.join(" ");
}

const rows: readonly Row[] = [
  [0, "a", 4, 100],
  [1, "a", 4, 10],
  [2, "b", 3, 20],
  [3, "b", 4, 5],
];

describe("a machine that follows a scheme", () => {
  it.each([
    [{ kind: "age", favour: "large" }, "1@0 2@100 3@110 4@130"],
    [{ kind: "age", favour: "small" }, "1@0 4@100 3@105 2@125"],
    [{ kind: "size", favour: "small" }, "1@0 3@100 2@120 4@130"],
    [{ kind: "length", favour: "small" }, "1@0 4@100 2@105 3@115"],
    // a has used 400 processor-milliseconds, b nothing: his jobs go first, in order of submission.
    [{ kind: "condor", halfLifeMs: 1000, factor: 1, users: {} }, "1@0 3@100 4@120 2@125"],
  ] as const)("QU-12 PF-9 %j: %s", (rules, starts) => {
    expect(startsUnder(rules, rows)).toBe(starts);
    expect(startsUnder(rules, rows)).toBe(starts);
  });

  it("PF-9 a handle reused at the same instant belongs to the new job", () => {
    const reused: readonly Row[] = [
      [0, "a", 4, 10],
      [5, "a", 4, 10],
      [10, "b", 1, 1],
    ];
    const rules = { kind: "size", favour: "small" } as const;
    expect(startsUnder(rules, reused)).toBe("1@0 3@10 2@11");
  });
});
