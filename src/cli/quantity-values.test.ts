import { describe, expect, it } from "vitest";
import { Fault } from "../base/index.ts";
import { delayValue, durationValue, instantAheadValue, sinceValue } from "./quantity-values.ts";

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
        why: "a number alone is minutes to sbatch and seconds to others",
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
