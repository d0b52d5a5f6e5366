import { describe, expect, it } from "vitest";
import { deadlinesValue } from "./plan-deadline.ts";

const read = deadlinesValue(() => Date.parse("2026-11-27T12:00:00Z"));

describe("deadlines of a plan", () => {
  it("are lengths of time or instants, between commas", () => {
    const atMs = Date.parse("2026-11-28T08:00Z");
    expect(read("2h, 2026-11-28T08:00Z")).toEqual([{ afterMs: 7_200_000 }, { atMs }]);
  });

  it.each([
    ["2026-11-27T11:59Z", "deadlinePast", "a plan begins now"],
    ["2026-11-27T12:00:00Z", "deadlinePast", "a plan begins now"],
    ["2026-13-45", "optionValueWrong", "no such date"],
    ["tomorrow", "optionValueWrong", "neither a duration nor an instant"],
    ["0", "optionValueWrong", "its length must not be zero"],
  ])("%s is refused", (text, code, why) => {
    expect(() => read(text)).toThrowError(
      expect.objectContaining({ code, why: expect.stringContaining(why) }),
    );
  });
});
