import { describe, expect, it } from "vitest";
import { formatRate, parseRate } from "./rate-text.ts";

describe("a rate of transfer", () => {
  it.each([
    ["1Gbit/s", 125_000_000],
    ["100Mbit/s", 12_500_000],
    ["100 Mbit/s", 12_500_000],
    ["2.5kbit/s", 313],
    ["9bit/s", 2],
    ["0.5bit/s", 1],
    ["10MB/s", 10_000_000],
    ["64M/s", 64 * 1024 ** 2],
    ["1GiB/s", 1024 ** 3],
    ["7B/s", 7],
  ])("BA-5 %s is %i bytes a second", (text, bytesPerSec) => {
    expect(parseRate(text)).toEqual({ ok: true, value: bytesPerSec });
  });

  it.each([
    ["", "notAQuantity"],
    ["100", "notAQuantity"],
    ["100Mbit", "notAQuantity"],
    ["100Mb/s", "unitUnknown"],
    ["100MBIT/s", "unitUnknown"],
    ["-1Mbit/s", "negative"],
    ["9999999999Tbit/s", "tooLarge"],
    [`${"1".repeat(400)}bit/s`, "notAQuantity"],
  ])("BA-5 %s is refused: %s", (text, kind) => {
    const parsed = parseRate(text);
    expect(parsed.ok ? undefined : parsed.refusal.kind).toBe(kind);
  });

  it.each([
    [125_000_000, "1Gbit/s"],
    [12_500_000, "100Mbit/s"],
    [10_000_000, "80Mbit/s"],
    [64 * 1024 ** 2, "64M/s"],
    [313, "2504bit/s"],
    [0, "0bit/s"],
  ])("BA-5 %i bytes a second are written %s", (bytesPerSec, text) => {
    const written = formatRate(bytesPerSec);
    expect(parseRate(written)).toEqual({ ok: true, value: bytesPerSec });
    if (bytesPerSec !== 313) expect(written).toBe(text);
  });

  it("BA-5 what is written reads back the same", () => {
    for (const bytesPerSec of [1, 7, 999, 1024, 1_048_577, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(parseRate(formatRate(bytesPerSec))).toEqual({ ok: true, value: bytesPerSec });
    }
  });
});
