import { describe, expect, it } from "vitest";
import type { PlacedBar } from "../engine/index.ts";
import { createRememberedRows } from "./remembered-rows.ts";

const bar = (key: string, row: number, startMs = 0): PlacedBar => ({
  ...{ key, kind: "running", procs: 1, startMs, endMs: 10, inside: null, nodes: [], whose: undefined },
  rows: [[row, 1]],
});

describe("remembered rows", () => {
  it("are kept by an answer about another period, and apart from other readers and sites", () => {
    const remembered = createRememberedRows();
    remembered.keep("here", [bar("a", 1), bar("old", 2)], 5);
    remembered.keep("here", [bar("a", 3)], 5);
    remembered.keep("there", [bar("a", 7)], 5);
    const rows = ["a", "old", "unknown"].map((key) => remembered.of("here").get(key));
    expect(rows).toEqual([[[3, 1]], [[2, 1]], undefined]);
    expect(remembered.of("there").get("a")).toEqual([[7, 1]]);
  });

  it("are those of what has begun", () => {
    const remembered = createRememberedRows();
    remembered.keep("here", [bar("next", 1, 6)], 5);
    expect(remembered.of("here").get("next")).toBeUndefined();
  });

  it("are dropped when there are too many, those not seen for longest first", () => {
    const remembered = createRememberedRows(2);
    remembered.keep("here", [bar("a", 1), bar("b", 2)], 5);
    remembered.keep("here", [bar("a", 1), bar("c", 3)], 5);
    expect(["a", "b", "c"].filter((key) => remembered.of("here").get(key) !== undefined)).toEqual(["a", "c"]);
  });
});
