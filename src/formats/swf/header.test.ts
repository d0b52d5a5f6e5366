/** SWF headers as they are in the archive, and odder ones. */
import { describe, expect, it } from "vitest";
import { swfHeaderReader } from "./header.ts";

function header(...lines: readonly string[]) {
  const reader = swfHeaderReader();
  for (const line of lines) reader.add(line);
  return reader;
}

describe("header", () => {
  it("a header of the archive", () => {
    const lines = [
      "; Version: 2.2",
      "; Computer: IBM SP2",
      "; Information: http://www.tc.cornell.edu/",
      ";              http://www.cs.huji.ac.il/labs/parallel/workload/",
      "; UnixStartTime: 835823160",
      "; TimeZoneString: US/Eastern",
      "; EndTime:   Sat May 31 23:11:26 EDT 1997",
      "; MaxNodes: 338 (batch partition; 512 total)",
      "; MaxProcs: 338",
      ";",
      "; Note: THIS IS A CLEANED VERSION OF THE LOG!",
      ";         user=135 and (job>=47421 and job<=50307) (2080 jobs removed)",
    ];
    const found = header(...lines);
    expect(found).toMatchObject({ maxProcs: 338, maxNodes: 338, unixStartTime: 835823160 });
    expect(found.lines).toEqual(lines);
    expect(found.value("timezonestring")).toBe("US/Eastern");
    expect(found.entries.map(([key]) => key)).toEqual(
      ["Version", "Computer", "Information", "UnixStartTime", "TimeZoneString"].concat([
        "EndTime",
        "MaxNodes",
        "MaxProcs",
        "Note",
      ]),
    );
    expect(found.entries[5]).toEqual(["EndTime", "Sat May 31 23:11:26 EDT 1997"]);
  });

  it.each([
    ["128", 128],
    ["  64 nodes", 64],
    ["0", undefined],
    ["-1", undefined],
    ["1,024", undefined],
    ["2.5", undefined],
    ["many", undefined],
    ["", undefined],
    ["99999999999999999999", undefined],
  ])("MaxProcs: %s", (text, procs) => {
    expect(header(`; MaxProcs: ${text}`).maxProcs).toBe(procs);
  });

  it.each([
    ["without blanks", ";MaxProcs: 8"],
    ["indented", " \t; MaxProcs: 8"],
    ["in another case", "; MAXPROCS: 8"],
    ["with nothing behind the value", "; MaxProcs:\t8"],
  ])("a label %s", (_, line) => {
    expect(header(line).maxProcs).toBe(8);
  });

  it("of a repeated label the first counts; lines without a label are kept", () => {
    const found = header("; MaxProcs: 8", "; MaxProcs: 9", ";;; odd", "; Empty:", "; two words: 1");
    expect(found.maxProcs).toBe(8);
    expect(found.entries).toEqual([
      ["MaxProcs", "8"],
      ["MaxProcs", "9"],
      ["Empty", ""],
    ]);
    expect(found.lines).toHaveLength(5);
    expect(found.maxNodes).toBeUndefined();
  });

  it("comments are held up to a limit", () => {
    const reader = swfHeaderReader();
    for (let line = 0; line < 10_100; line++) reader.add(`; ${line}`);
    expect(reader.lines).toHaveLength(10_000);
  });
});
