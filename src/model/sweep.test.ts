import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import {
  faultOfSweep,
  JOB_DEFAULTS,
  jobsOfSweep,
  memberDescription,
  pointAt,
  type Sweep,
  valuesAt,
} from "./index.ts";

const parameters = [
  { name: "t", values: ["cold", "warm"] },
  { name: "seed", from: 1, step: 0.1, count: 3 },
];

describe("sweeps", () => {
  it("every combination is a point, the last parameter first", () => {
    const sweep: Sweep = { parameters, combine: "product" };
    expect(Array.from({ length: jobsOfSweep(sweep) }, (_, at) => Object.values(valuesAt(sweep, at)))).toEqual(
      [
        ...[
          ["cold", "1"],
          ["cold", "1.1"],
          ["cold", "1.2"],
          ["warm", "1"],
          ["warm", "1.1"],
          ["warm", "1.2"],
        ],
      ],
    );
    expect(jobsOfSweep({ ...sweep, combine: "zip" })).toBe(2);
  });

  it("a job has its values in its texts and its variables; other words stay", () => {
    const sweep: Sweep = { parameters, combine: "product", points: "0,4-5" };
    const description = {
      ...{ ...JOB_DEFAULTS, executable: "run", sweep, array: "0-2" },
      arguments: ["--t=${t}", "_PARAM_seed_", "${other} $t"],
      environment: { T: "${t}" },
    };
    const job = memberDescription(description, { array: "a", index: 1 });
    expect(job.arguments).toEqual(["--t=warm", "1.1", "${other} $t"]);
    expect(job.environment).toMatchObject({ T: "warm", STINT_PARAM_t: "warm", STINT_PARAM_seed: "1.1" });
    expect([job.sweep, job.array]).toEqual([undefined, undefined]);
  });

  it.each([
    [{ parameters, combine: "product" }, [0, 5], undefined],
    [{ parameters, combine: "product" }, [0, 6], "sweepTooSmall"],
    [{ parameters, combine: "product", points: "1-3" }, [2], undefined],
    [{ parameters, combine: "product", points: "1-3" }, [3], "sweepTooSmall"],
    [{ parameters, combine: "product", points: "3-9" }, [0], "sweepTooSmall"],
    [{ parameters, combine: "product", points: "3,1" }, [0], "sweepTooSmall"],
    [{ parameters: [], combine: "product" }, [0], "sweepEmpty"],
  ] as const)("%j with the indexes %j: %s", (sweep, indexes, fault) => {
    expect(faultOfSweep(sweep, indexes)).toBe(fault);
  });

  it("points are those of plain loops, whatever the numbers of values", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, (counts) => {
        const sweep: Sweep = {
          combine: "product",
          parameters: counts.map((count, at) => ({ name: `p${at}`, from: 0, step: 1, count })),
        };
        let plain: readonly (readonly number[])[] = [[]];
        for (const count of counts) {
          plain = plain.flatMap((before) => Array.from({ length: count }, (_, value) => [...before, value]));
        }
        expect(jobsOfSweep(sweep)).toBe(plain.length);
        for (const [at, values] of plain.entries()) {
          expect(Object.values(valuesAt(sweep, pointAt(sweep, at))).map(Number)).toEqual(values);
        }
      }),
      draws(200),
    );
  });
});
