import { describe, expect, it } from "vitest";
import { type Column, fittedTable, textTable } from "./text-table.ts";

const columns: readonly Column[] = [
  { head: "ID" },
  { head: "SITE", isOptional: true },
  { head: "PROCS", align: "right", isOptional: true },
  { head: "COMMAND", isFlexible: true },
];
const rows = [
  ["7f3a", "here", "16", "./simulate --steps 1000"],
  ["91bc", "there", "4", "x"],
];

describe("a table", () => {
  it("CL-10 off a terminal is whole, however wide", () => {
    expect(textTable(columns, rows, undefined)).toBe(
      [
        "ID    SITE   PROCS  COMMAND",
        "7f3a  here      16  ./simulate --steps 1000",
        "91bc  there      4  x",
        "",
      ].join("\n"),
    );
  });

  it.each([
    { width: 80, head: "ID    SITE   PROCS  COMMAND", first: "7f3a  here      16  ./simulate --steps 1000" },
    { width: 43, head: "ID    SITE   PROCS  COMMAND", first: "7f3a  here      16  ./simulate --steps 1000" },
    { width: 32, head: "ID    SITE   PROCS  COMMAND", first: "7f3a  here      16  ./simulate …" },
    { width: 26, head: "ID    SITE   COMMAND", first: "7f3a  here   ./simulate -…" },
    { width: 20, head: "ID    COMMAND", first: "7f3a  ./simulate --…" },
    { width: 5, head: "ID    COMMAND", first: "7f3a  ./simul…" },
  ])("CL-10 on a terminal of $width columns is cut to fit", ({ width, head, first }) => {
    const lines = textTable(columns, rows, width).split("\n");
    expect(lines.slice(0, 2)).toEqual([head, first]);
    if (width > 13) for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  });

  it("CL-10 does nothing to a terminal, whatever a job is called", () => {
    const text = textTable([{ head: "X" }], [["a\u001b[2Jb\nc\u202ed"]], undefined);
    expect(text).toBe("X\na?[2Jb?c?d\n");
  });
});

describe("a column with a colour", () => {
  const painted: readonly Column[] = [
    { head: "ID" },
    { head: "STATE", paint: (cell) => `<${cell}>` },
    { head: "SITE", isOptional: true },
  ];

  it("CL-5 is as wide as without, and its head is plain", () => {
    const text = textTable(painted, [["7f3a", "HELD", "here"]], undefined);
    expect(text).toBe("ID    STATE  SITE\n7f3a  <HELD >  here\n");
  });

  it("says which columns there was no room for", () => {
    expect(fittedTable(painted, [["7f3a", "HELD", "here"]], 14)).toEqual({
      text: "ID    STATE\n7f3a  <HELD>\n",
      omitted: ["SITE"],
    });
  });
});
