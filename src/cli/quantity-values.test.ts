import { describe, expect, it } from "vitest";
import { Fault } from "../base/index.ts";
import { consumerValue } from "./option-values.ts";
import {
  delayValue,
  durationValue,
  instantAheadValue,
  pastInstantValue,
  sinceValue,
} from "./quantity-values.ts";

const now = (): number => 1_800_000_000_000;
const options = [
  ["a limit", durationValue("-t")],
  ["a delay", delayValue("--order-delay")],
  ["how long ago", sinceValue("--since", now)],
  ["how far ahead", instantAheadValue("--from", now)],
] as const;

function faultOf(read: () => unknown): Fault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

describe("a length of time on the command line", () => {
  it.each(options)(
    "%s that is a number alone is refused: sbatch reads minutes, others seconds",
    (_, read) => {
      expect(faultOf(() => read("10"))).toMatchObject({
        code: "optionValueWrong",
        why: "a number without a unit is ambiguous: sbatch reads it as minutes, other programs as seconds",
        remedy: expect.stringMatching(/^write -\S+ 10m or -\S+ 10s$/),
      });
    },
  );

  it("is read with its unit, and nothing is nothing in every unit", () => {
    expect([durationValue("-t")("10m"), delayValue("--order-delay")("0")]).toEqual([600_000, 0]);
  });

  it("that two numbers say is refused with forms that are taken", () => {
    const { remedy = "" } = faultOf(() => durationValue("-t")("01:30")) ?? {};
    expect(remedy).not.toContain("seconds");
  });
});

describe("an instant in the past on the command line", () => {
  const read = pastInstantValue("--at", now);

  it.each(["23:00", " 7:30", "23:00:00"])(
    "that is a time of day alone (%s) is refused with its date",
    (text) => {
      expect(faultOf(() => read(text))).toMatchObject({
        why: "it is a time of day without a date",
        remedy: expect.stringMatching(/^write for instance --at 2027-01-15T\d\d:\d\d(:00)?, or --at 2h/),
      });
    },
  );

  it("is a date, or a length of time before now", () => {
    expect([read("2h"), read("2026-05-31T14:00:00Z")]).toEqual([
      now() - 7_200_000,
      Date.UTC(2026, 4, 31, 14),
    ]);
    expect(faultOf(() => read("25:00"))).toMatchObject({
      code: "optionValueWrong",
      why: "there is no such time of day",
      remedy: expect.stringMatching(/^write for instance --at 2027-01-15T14:00, or --at 2h/),
    });
  });
});

describe("a consumer on the command line", () => {
  it("is a path without empty names", () => {
    const read = consumerValue("--as");
    expect(read("cms/production/ann")).toBe("cms/production/ann");
    for (const text of ["a//b", "", "/a", "a/"]) {
      expect(faultOf(() => read(text))).toMatchObject({ what: `--as: "${text}" is not a consumer path` });
    }
  });
});
