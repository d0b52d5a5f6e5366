import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { isoInstant } from "./iso-instant.ts";

describe("an instant", () => {
  it("is told as a date, and one beyond all dates as the last of them", () => {
    const last = "9999-12-31T23:59:59.999Z";
    expect(isoInstant(Date.UTC(2026, 4, 31, 14))).toBe("2026-05-31T14:00:00.000Z");
    expect(isoInstant(Date.parse(last))).toBe(last);
    expect(isoInstant(Date.parse(last) + 1)).toBe(last);
    // A queue of 28,000 jobs of ten years each, one after the other: later than the clock of dates goes.
    expect(isoInstant(Date.UTC(2026, 0) + 28_000 * 3652 * 86_400_000)).toBe(last);
    expect(isoInstant(Number.POSITIVE_INFINITY)).toBe(last);
  });

  it("is what a date writes", () => {
    const far = Date.UTC(9999, 11, 31);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -far, max: far }), fc.double({ min: -2, max: 1e12, noNaN: true })),
        (atMs) => {
          expect(isoInstant(atMs)).toBe(new Date(atMs).toISOString());
        },
      ),
      draws(2000),
    );
  });
});
