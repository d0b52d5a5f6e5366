/** Tables of what HTCondor's library answers. */
import { describe, expect, it } from "vitest";
import { adFrom, worth } from "./classad-value.ts";

const self = adFrom(`
  u = undefined; e = error; t = true; i = 7; r = 2.5; s = "text"; l = {1, 2.5, "x"}; a = [ x = 1; y = x + i ];
  tm = absTime("2024-03-01T12:30:45+01:00"); rt = relTime("1+02:03:04"); expr = (i + 1) * 2 > 3 && t;
  reqGpu = k > 1; ads = { [k = 1], [k = 2], [k = 3], undefined };
  nested = [ q = Cpus; p = i; o = other.Cpus ];
  big = 9223372036854775807; words = [ self = 1; my = 2; other = 3; root = 4; m = my ]`);
const other = adFrom("Cpus = 4; k = 9; Back = other.i; storage = { [size = 10], [size = 500] }");

/** Checks rows of an expression and its value with `→` between, in two ads that match. */
export function conforms(name: string, table: string): void {
  const rows = table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  describe(name, () => {
    it.each(rows)("%s", (row) => {
      const [text = "", value = ""] = row.split(/\s+→\s+/);
      expect(worth(text, { self, other })).toBe(value);
    });
  });
}
