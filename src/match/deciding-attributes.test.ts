import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { matchingNames } from "./choose.ts";
import { decidingAttributes } from "./deciding-attributes.ts";
import { siteAdOf } from "./site-ad.ts";

const adWith = (given: Readonly<Record<string, string>>) =>
  siteAdOf({ site: "w", system: "slurm", status: "Production", procs: 8, stores: [] }, given);

const jobWith = (requirements: string, attributes: JobDescription["attributes"] = {}) => ({
  ...{ id: "j", consumer: "vo/u", owner: "u" },
  description: { ...JOB_DEFAULTS, executable: "true", procs: 1, requirements, attributes },
});

describe("MT-14 the attributes that decide a match", () => {
  it.each([
    ["other.A > 1", { A: "B", B: "2", C: "3" }, 'a=B;b=2;gluecestatestatus="Production"'],
    ["Own > 1", { A: "1", C: "3" }, 'a=1;gluecestatestatus="Production"'],
    [
      "true",
      { A: "1", Requirements: "C > 0", C: "3" },
      'c=3;gluecestatestatus="Production";requirements=C > 0',
    ],
  ])("%s in %j: %s", (requirements, given, text) => {
    expect(decidingAttributes(jobWith(requirements, { Own: "other.A" }), adWith(given), "k")).toBe(text);
  });

  it.each(["eval(other.A) > 1", 'other["A"] > 1', "size(other) > 1"])(
    "are all of them for %s",
    (requirements) => {
      const text = decidingAttributes(jobWith(requirements), adWith({ Unnamed: "7" }), "k");
      expect(text).toContain("unnamed=7");
    },
  );

  it.each(["time() > 1", "CurrentTime > 1", "other.A > random()", "getHours(absTime()) > 1"])(
    "are not named where the time or chance decides: %s",
    (requirements) => {
      expect(decidingAttributes(jobWith(requirements), adWith({ A: "1" }), "k")).toBeUndefined();
    },
  );

  it("ads in which they are the same have the same result", () => {
    const value = fc.constantFrom("0", "1", "B", "C + 1", "undefined", "other.Own", '"B"');
    const given = fc.record({ A: value, B: value, C: value }, { requiredKeys: ["A"] });
    const requirements = fc.constantFrom(
      "other.A > 0",
      "other.B == 1",
      "Own == other.C",
      "eval(other.A) == 1",
    );
    const own = fc.constantFrom("1", "other.B", "A");
    fc.assert(
      fc.property(given, given, requirements, own, (one, two, text, ownText) => {
        const job = jobWith(text, { Own: ownText });
        const [first, second] = [adWith(one), adWith(two)];
        const deciding = decidingAttributes(job, first, "k");
        if (deciding === undefined || deciding !== decidingAttributes(job, second, "k")) return;
        const matches = (ad: typeof first) => matchingNames(job, [{ name: "w", ad }], 0);
        expect(matches(first)).toEqual(matches(second));
      }),
      draws(300),
    );
  });
});
