import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { formatDuration, MS_PER_HOUR, MS_PER_MINUTE, parseDuration } from "./index.ts";

const DAY = 24 * MS_PER_HOUR;

describe("lengths of time in words", () => {
  it.each([
    ["1h30m", 90 * MS_PER_MINUTE],
    ["1h 30m", 90 * MS_PER_MINUTE],
    [" 2d12h ", 2.5 * DAY],
    ["1w", 7 * DAY],
    ["1.5h", 90 * MS_PER_MINUTE],
    ["0.07h", 252_000],
    ["90min", 90 * MS_PER_MINUTE],
    ["1m0.25s", 60_250],
    ["250ms", 250],
    ["90", 90_000],
    ["0.5", 500],
    ["0", 0],
    ["01:30:00", 90 * MS_PER_MINUTE],
    ["100:00:01", 100 * MS_PER_HOUR + 1000],
    ["00:00:00.125", 125],
    ["2-12:00:00", 2.5 * DAY],
    ["2-12:30", 2.5 * DAY + 30 * MS_PER_MINUTE],
    ["2-12", 2.5 * DAY],
    ["PT1H30M", 90 * MS_PER_MINUTE],
    ["P2DT12H", 2.5 * DAY],
    ["P1W", 7 * DAY],
    ["PT0.5H", 30 * MS_PER_MINUTE],
    ["PT1,5S", 1500],
    ["9007199254740991ms", Number.MAX_SAFE_INTEGER],
  ])("BA-5 %j is %i ms", (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: ms });
  });

  it.each([
    ["", "notAQuantity", "empty"],
    ["soon", "notAQuantity", "not a duration"],
    ["1h30", "notAQuantity", "no unit"],
    ["30m1h", "notAQuantity", "large to small"],
    ["1h1h", "notAQuantity", "each once"],
    ["1m1min", "notAQuantity", "each once"],
    ["1.5h30m", "notAQuantity", "only the last"],
    ["P0.5DT1H", "notAQuantity", "only the last"],
    ["1H", "unitUnknown", "w, d, h, m, min, s, ms"],
    ["1 fortnight", "unitUnknown", "w, d, h"],
    ["-5", "negative", "not negative"],
    ["-1h", "negative", "not negative"],
    ["01:30", "ambiguous", "hours and minutes, or minutes and seconds"],
    ["00:60:00", "notAQuantity", "up to 59"],
    ["00:00:60", "notAQuantity", "up to 59"],
    ["1-24:00:00", "notAQuantity", "up to 23"],
    ["P1M", "ambiguous", "no fixed length"],
    ["P1Y", "ambiguous", "no fixed length"],
    ["P", "notAQuantity", "ISO 8601"],
    ["PT", "notAQuantity", "ISO 8601"],
    ["P1DT", "notAQuantity", "ISO 8601"],
    ["PT5", "notAQuantity", "ISO 8601"],
    ["0.0001s", "tooFine", "millisecond"],
    ["0.5ms", "tooFine", "millisecond"],
    ["9007199254740992ms", "tooLarge", "too long"],
    ["9".repeat(64), "tooLarge", "too long"],
    ["9".repeat(65), "notAQuantity", "far too long"],
    ["2026-11-21", "notAQuantity", "no unit"],
    ["1e3", "unitUnknown", "the units are"],
  ])("BA-5 %j is refused as %s: %s", (text, kind, why) => {
    const read = parseDuration(text);
    expect(read).toMatchObject({ ok: false, refusal: { kind } });
    if (!read.ok) expect(read.refusal.why).toContain(why);
    if (!read.ok) expect(read.refusal.remedy).toContain("1h30m");
  });

  it.each([
    [0, "0s"],
    [90 * MS_PER_MINUTE, "1h30m"],
    [2.5 * DAY, "2d12h"],
    [60_250, "1m0.25s"],
    [1, "0.001s"],
    [DAY + 1000, "1d1s"],
  ])("BA-5 %i ms are written %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("BA-5 what is written reads back the same, whatever the length", () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), fc.nat(10 ** 7)), (ms) => {
        expect(parseDuration(formatDuration(ms))).toEqual({ ok: true, value: ms });
      }),
      draws(2000),
    );
  });

  it("BA-5 every notation of one time means the same", () => {
    const parts = fc.record({
      d: fc.nat(400),
      h: fc.nat(23),
      m: fc.nat(59),
      s: fc.nat(59),
      ms: fc.nat(999),
    });
    fc.assert(
      fc.property(parts, ({ d, h, m, s, ms }) => {
        const value = d * DAY + h * MS_PER_HOUR + m * MS_PER_MINUTE + s * 1000 + ms;
        const fraction = String(ms).padStart(3, "0");
        const two = (part: number) => String(part).padStart(2, "0");
        for (const text of [
          `${d}d${h}h${m}m${s}s${ms}ms`,
          `${d}-${two(h)}:${two(m)}:${two(s)}.${fraction}`,
          `${d * 24 + h}:${two(m)}:${two(s)}.${fraction}`,
          `P${d}DT${h}H${m}M${s}.${fraction}S`,
          `${Math.floor(value / 1000)}.${fraction}`,
        ]) {
          expect(parseDuration(text)).toEqual({ ok: true, value });
        }
      }),
    );
  });

  it("BA-5 any text at all is read or refused, never an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[P0-9:.\-dhmsTHM ]{0,20}$/)), (text) => {
        const read = parseDuration(text);
        expect(read.ok ? Number.isSafeInteger(read.value) && read.value >= 0 : true).toBe(true);
      }),
      draws(2000),
    );
  });

  it("only what a length of time can be is written", () => {
    for (const wrong of [-1, 0.5, Number.POSITIVE_INFINITY]) {
      expect(() => formatDuration(wrong)).toThrow("what must hold");
    }
  });
});
