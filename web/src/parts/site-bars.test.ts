import { describe, expect, it } from "vitest";
import type { BarView } from "../app/client.ts";
import { stateOf } from "./site-bars.ts";

describe("the state of a bar's job", () => {
  it.each([
    ["FAILED", "DONE", "failed"],
    ["DONE", "DONE", "ok"],
    ["CANCELLED", "CANCELLED", null],
    [null, null, null],
  ] satisfies [string | null, BarView["state"], BarView["result"]][])(
    "is %s for %s with result %s",
    (expected, state, result) => {
      expect(stateOf({ state, result })).toBe(expected);
    },
  );
});
