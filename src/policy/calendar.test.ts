import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import "../../test/property-seed.ts";
import { calendarWindow } from "./index.ts";

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text);
const written = (unit: Parameters<typeof calendarWindow>[0], text: string, offsetMs = 0) => {
  const { startMs, endMs } = calendarWindow(unit, at(text), offsetMs);
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
};

describe("calendar windows", () => {
  it("PO-2 begin with the hour, the day, Monday, and the first of the month", () => {
    const now = "2024-02-29T13:14:15.016Z";
    expect(written("hour", now)).toEqual(["2024-02-29T13:00:00.000Z", "2024-02-29T14:00:00.000Z"]);
    expect(written("day", now)).toEqual(["2024-02-29T00:00:00.000Z", "2024-03-01T00:00:00.000Z"]);
    expect(written("week", now)).toEqual(["2024-02-26T00:00:00.000Z", "2024-03-04T00:00:00.000Z"]);
    expect(written("month", now)).toEqual(["2024-02-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z"]);
    expect(written("month", "2023-12-31T23:59:59.999Z")).toEqual([
      "2023-12-01T00:00:00.000Z",
      "2024-01-01T00:00:00.000Z",
    ]);
  });

  it("PO-2 follow the agreement's clock", () => {
    expect(written("day", "2024-02-29T22:30:00Z", 2 * HOUR_MS)).toEqual([
      "2024-02-29T22:00:00.000Z",
      "2024-03-01T22:00:00.000Z",
    ]);
    expect(written("month", "2024-02-29T22:30:00Z", 2 * HOUR_MS)).toEqual([
      "2024-02-29T22:00:00.000Z",
      "2024-03-31T22:00:00.000Z",
    ]);
  });

  it("PO-2 agree with the dates of the language, from 1600 to 2400", () => {
    const instants = fc.integer({ min: at("1600-01-01"), max: at("2400-01-01") });
    fc.assert(
      fc.property(instants, (atMs) => {
        const date = new Date(atMs);
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
        const monday = day - ((date.getUTCDay() + 6) % 7);
        expect(calendarWindow("month", atMs, 0)).toEqual({
          startMs: Date.UTC(year, month),
          endMs: Date.UTC(year, month + 1),
        });
        expect(calendarWindow("week", atMs, 0)).toEqual({
          startMs: Date.UTC(year, month, monday),
          endMs: Date.UTC(year, month, monday + 7),
        });
      }),
      draws(500),
    );
  });
});
