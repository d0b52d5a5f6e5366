import { describe, expect, it } from "vitest";
import { withPauses } from "./market-questions.ts";

function* work(steps: number, eachMs: number): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    const until = performance.now() + eachMs;
    while (performance.now() < until);
    yield;
  }
  return "done";
}

describe("long work", () => {
  it("BR-63 pauses for other requests; short work does not", async () => {
    let turns = 0;
    const turn = (): void => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    expect(await withPauses(work(5, 11))).toBe("done");
    expect(turns).toBeGreaterThanOrEqual(4);
    const before = turns;
    expect(await withPauses(work(5, 0))).toBe("done");
    expect(turns).toBe(before);
    clearImmediate(next);
  });
});
