import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { DIALECTS } from "./dialects.ts";
import { readScript } from "./reading.ts";

const marks = ["#SBATCH", "#PBS", "#MSUB", "#$", "#BSUB", "# @", "#@", "##SBATCH", "# note", "echo"];
const names = DIALECTS.flatMap(({ rows }) => rows.flatMap((row) => row.names));
const values = [
  "",
  "1",
  "4G",
  "1:00:00",
  "a,b=c",
  "'open",
  '"a b"',
  "\\",
  "=",
  "[1-3]%2",
  "x[1]",
  "-",
  "%j",
  "\r",
];
const line = fc
  .tuple(
    fc.constantFrom(...marks),
    fc.constantFrom(...names),
    fc.constantFrom(" ", "=", ""),
    fc.constantFrom(...values),
  )
  .map(([mark, name, between, value]) => `${mark} ${name}${between}${value}`);

describe("any script", () => {
  it("FO-120 gives a job, or problems with their places; each line with a mark is told", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        const { jobs, problems, translations } = readScript(`#!/bin/sh\n${lines.join("\n")}`);
        expect(jobs.length === 0).toBe(problems.length > 0);
        for (const { line, column } of problems)
          expect([line, column].every((one) => (one ?? 0) > 0)).toBe(true);
        for (const { verdict, why, becomes } of translations) {
          expect(verdict === "translated" ? (becomes ?? why) : why).toBeTruthy();
        }
      }),
      draws(200),
    );
  });

  it("FO-120 a script of 1 MB is read in bounded time", () => {
    const text = `#!/bin/sh\n${"#SBATCH --comment=x -n 4\n".repeat(40_000)}`;
    const begin = Date.now();
    expect(readScript(text).translations).toHaveLength(80_000);
    expect(Date.now() - begin).toBeLessThan(20_000);
  });
});
