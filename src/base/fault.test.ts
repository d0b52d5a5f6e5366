import { describe, expect, it } from "vitest";
import {
  accepted,
  assert,
  between,
  durationMs,
  Fault,
  formatPosition,
  instantMs,
  after as later,
  procMs,
  procs,
  refused,
  thousandths,
  unreachable,
} from "./index.ts";

describe("what can go wrong", () => {
  it("a fault says what happened, why, and what to do, with a stable code and its cause", () => {
    const cause = new Error("ENOENT");
    const facts = {
      kind: "notFound",
      code: "fileNotFound",
      what: "trace.swf could not be read",
      why: "there is no such file",
      remedy: "Check the name.",
    } as const;
    const fault = new Fault({ ...facts, cause });
    expect(fault).toBeInstanceOf(Error);
    expect(fault).toMatchObject({ ...facts, name: "Fault", cause });
    expect(fault.message).toBe("trace.swf could not be read: there is no such file");
  });

  it("a position is written as editors write it", () => {
    expect(formatPosition({ file: "a b.swf", line: 3, column: 14 })).toBe("a b.swf:3:14");
  });

  it("an assertion says what must hold, an impossible case what it met", () => {
    expect(() => assert(true, "all is well")).not.toThrow();
    expect(() => assert(false, "two and two are four")).toThrow("what must hold: two and two are four");
    expect(() => unreachable("lifo" as never)).toThrow('found "lifo"');
  });

  it("an outcome is a value or a refusal, told apart by `ok`", () => {
    expect(accepted(3)).toEqual({ ok: true, value: 3 });
    expect(refused({ kind: "tooWide" })).toEqual({ ok: false, refusal: { kind: "tooWide" } });
  });
});

describe("quantities", () => {
  const [for5, never] = [durationMs(5), durationMs(Number.POSITIVE_INFINITY)];

  it("instants and durations add up, for ever included", () => {
    expect(later(instantMs(-2), for5)).toBe(3);
    expect(later(instantMs(1), never)).toBe(Number.POSITIVE_INFINITY);
    expect(between(instantMs(-2), instantMs(3))).toBe(5);
    expect(() => between(instantMs(3), instantMs(2))).toThrow("not negative");
  });

  it.each([
    ["an instant", instantMs],
    ["a duration", durationMs],
    ["a number of processors", procs],
    ["money", procMs],
    ["a unit price", thousandths],
  ])("%s is an integer within 2^53", (_, take) => {
    expect(take(2 ** 53 - 1)).toBe(2 ** 53 - 1);
    for (const wrong of [1.5, Number.NaN, 2 ** 53, Number.NEGATIVE_INFINITY]) {
      expect(() => take(wrong)).toThrow("what must hold");
    }
  });

  it("durations and processors are not negative", () => {
    expect(() => durationMs(-1)).toThrow("not negative");
    expect(() => procs(-1)).toThrow("not negative");
  });
});
