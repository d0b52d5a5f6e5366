import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { JobMatchView } from "../api/client/index.ts";
import { matchLines } from "./match-lines.ts";

const table: JobMatchView = {
  sites: [
    { name: "elm", takesJobs: true },
    { name: "oak", takesJobs: false },
  ],
  clauses: [
    { of: "job", text: "other.Gpus >= 1", verdicts: ["undefined", "true"] },
    { of: "site", text: "other.CpuNumber < 9", verdicts: ["notAsked", "true"] },
  ],
  matches: [{ name: "oak", rank: 3 }],
  changes: [{ text: "without other.Gpus >= 1", wins: 1 }],
};

describe("stint match", () => {
  it("shows matching sites, what each clause costs, and what would help", () => {
    expect(matchLines(table, { isRanked: true })).toEqual([
      "oak  rank 3  (takes no jobs now)",
      "",
      "other.Gpus >= 1: excludes 1 of 2",
      "  elm: undefined",
      "",
      "site demands other.CpuNumber < 9: excludes none",
      "",
      "what would help:",
      "  without other.Gpus >= 1: 1 more site would match",
    ]);
    const inQueue = {
      ...table,
      sites: [
        { name: "elm", takesJobs: true },
        { name: "oak", takesJobs: true, queue: "long" },
      ],
    };
    expect(matchLines(inQueue, { isRanked: false })[0]).toBe("oak, queue long");
    const none = { ...table, matches: [], clauses: [], changes: [] };
    expect(matchLines(none, { isRanked: false })).toEqual(["no site matches (2 sites)"]);
    const far = { nearFiles: 1, nearBytes: 2 ** 30, farFiles: 2, farBytes: 12 * 2 ** 30, from: ["oak"] };
    const data = { ...far, transferSec: 300, isAssumed: false };
    expect(
      matchLines({ ...none, sites: [{ name: "elm", takesJobs: true, data }] }, { isRanked: false }),
    ).toEqual([
      ...["no site matches (1 site)", "", "data:", "  elm: 1G in its stores, 12G at oak, 5m00s away"],
    ]);
    expect(matchLines({ ...none, sites: [] }, { isRanked: false })).toEqual([
      "no site is large enough for it",
    ]);
  });

  it("stint site show writes the ad and its age", async () => {
    const ad = {
      site: "elm",
      at: null,
      ageSec: 400,
      lifetimeSec: 300,
      classad: "[\n]",
      glue2: { A: 1 },
      queues: [],
    };
    const program = capturedProgram({ call: async () => ad } as never);
    expect((await program.call("site", "show", "elm")).out).toBe(
      "[\n]\n// 6m40s old, lifetime 5m00s, out of date\n",
    );
    expect(JSON.parse((await program.call("site", "show", "elm", "-o", "glue2")).out)).toEqual({ A: 1 });
    const queues = [{ queue: "long", classad: "[\n  B = 2;\n]", glue2: { B: 2 } }];
    const far = capturedProgram({ call: async () => ({ ...ad, queues }) } as never);
    expect((await far.call("site", "show", "far")).out).toContain("\n// queue long\n[\n  B = 2;\n]\n");
    const all = JSON.parse((await far.call("site", "show", "far", "-o", "glue2")).out);
    expect(all).toEqual({ A: 1, Queues: [{ B: 2 }] });
    const away = capturedProgram({ call: async () => ({ ...ad, queues: null }) } as never);
    for (const form of ["classad", "ldif"]) {
      const { err } = await away.call("site", "show", "far", "-o", form);
      expect(err).toContain("the ads of its queues are missing");
    }
  });
});
