import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/property-seed.ts";
import { combinedChoice, idleProcMs, isVirtualReservationWorthwhile } from "./index.ts";

describe("the combined scheme", () => {
  it("where the priced reservation has no fixed price, a virtual one saves nothing", () => {
    expect(isVirtualReservationWorthwhile(0)).toBe(false);
    expect(isVirtualReservationWorthwhile(1)).toBe(true);
  });

  it.each([
    ["idles 80 with a penalty of 10 against 100", 20, 10, "virtual"],
    ["idles 88 with a penalty of 12 against 100: equal", 22, 12, "virtual"],
    ["idles 92 with a penalty of 10 against 100", 23, 10, "priced"],
    ["starts at S itself", 0, 10, "virtual"],
    ["starts after S", -1, 10, "priced"],
  ] as const)("PL-7 a job that %s", (_, early, penaltyProcMs, kept) => {
    const choice = { procs: 4, startMs: 1000, startedMs: 1000 - early, fixedProcMs: 100, penaltyProcMs };
    expect(combinedChoice(choice)).toBe(kept);
  });

  it("PL-7 what is paid beside n·D is never more than f", () => {
    const amount = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 64 }), (early, fixedProcMs, procs) => {
        const penaltyProcMs = Math.ceil(fixedProcMs / 10);
        const when = { procs, startMs: 5000, startedMs: 5000 - early };
        const kept = combinedChoice({ ...when, fixedProcMs, penaltyProcMs });
        const paid = kept === "virtual" ? idleProcMs(when) + penaltyProcMs : fixedProcMs;
        expect(paid).toBeLessThanOrEqual(fixedProcMs);
      }),
    );
  });
});
