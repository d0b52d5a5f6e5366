import { describe, expect, it } from "vitest";
import type { JobView } from "../../app/client.ts";
import type { WholeRow } from "../../parts/whole-rows.ts";
import { activeWork, endedOf, endedWork } from "./work.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const job = (id: string, submitted: number, ended?: number) =>
  ({ id, submittedAt: at(submitted), endedAt: ended === undefined ? null : at(ended) }) as JobView;
const array = (id: string, submitted: number, ended?: number): WholeRow => ({
  ...{ kind: "array", id, href: `/arrays/${id}`, title: id, consumer: "physics", states: {} },
  ...{ at: at(submitted), endedAt: ended === undefined ? null : at(ended) },
});
const ids = (rows: ReturnType<typeof activeWork>) =>
  rows.map((row) => ("job" in row ? row.job.id : row.whole.id));

describe("the caller's work", () => {
  it("lists active jobs and arrays together, newest first, up to a number of lines", () => {
    const rows = activeWork([job("new", 9), job("old", 1)], [array("many", 5)], 2);
    expect(ids(rows)).toEqual(["new", "many"]);
  });

  it("lists what has ended by its end, without arrays of which only some jobs have ended", () => {
    const rows = endedWork(
      [job("short", 5, 6), job("long", 1, 9)],
      [array("some", 2), array("all", 3, 7)],
      9,
    );
    expect(ids(rows)).toEqual(["long", "all", "short"]);
  });

  it("counts failed, cancelled and skipped jobs among the ended ones", () => {
    const states = { RUNNING: 2, WAITING: 3, DONE: 4, FAILED: 1, CANCELLED: 1, FUTILE: 1 };
    expect(endedOf({ ...array("many", 1), states })).toEqual([7, 12]);
  });
});
