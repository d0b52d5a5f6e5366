import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { formatSize, parseSize } from "./index.ts";

describe("sizes in words", () => {
  it.each([
    ["10G", 10 * 1024 ** 3],
    ["512M", 512 * 1024 ** 2],
    ["1.5GB", 1_500_000_000],
    ["200kB", 200_000],
    ["1K", 1024],
    ["1KiB", 1024],
    ["2TiB", 2 * 1024 ** 4],
    ["3PB", 3 * 1000 ** 5],
    [" 10 G ", 10 * 1024 ** 3],
    ["1048576", 1_048_576],
    ["7B", 7],
    ["0", 0],
    ["1.1K", 1127],
    ["0.1", 1],
    ["0.07MB", 70_000],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("BA-5 %j is %i bytes", (text, bytes) => {
    expect(parseSize(text)).toEqual({ ok: true, value: bytes });
  });

  it.each([
    ["", "notAQuantity"],
    ["much", "notAQuantity"],
    ["1,5G", "notAQuantity"],
    ["1G 512M", "notAQuantity"],
    ["10g", "unitUnknown"],
    ["10KB", "unitUnknown"],
    ["10Gb", "unitUnknown"],
    ["10k", "unitUnknown"],
    ["-1G", "negative"],
    ["9000P", "tooLarge"],
    ["9007199254740991.5", "tooLarge"],
    ["1".repeat(65), "notAQuantity"],
  ])("BA-5 %j is refused as %s", (text, kind) => {
    const read = parseSize(text);
    expect(read).toMatchObject({ ok: false, refusal: { kind } });
    if (!read.ok) expect(read.refusal.remedy).toContain("10G");
  });

  it.each([
    [0, "0"],
    [10, "10"],
    [10 * 1024 ** 3, "10G"],
    [1.5 * 1024 ** 3, "1536M"],
    [1_500_000_000, "1500MB"],
    [1_073_741_825, "1073741825"],
  ])("BA-5 %i bytes are written %s", (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it("BA-5 what is written reads back the same, whatever the size", () => {
    const round = fc
      .tuple(fc.integer({ min: 1, max: 2000 }), fc.constantFrom(1, 1000, 1024, 10 ** 6, 2 ** 20, 10 ** 9))
      .map(([count, unit]) => count * unit);
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), round), (bytes) => {
        expect(parseSize(formatSize(bytes))).toEqual({ ok: true, value: bytes });
      }),
      draws(2000),
    );
  });

  it("BA-5 any text at all is read or refused, never an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9. KMGTPkBi-]{0,12}$/)), (text) => {
        const read = parseSize(text);
        expect(read.ok ? Number.isSafeInteger(read.value) && read.value >= 0 : true).toBe(true);
      }),
    );
  });

  it("only what a size can be is written", () => {
    for (const wrong of [-1, 0.5, Number.NaN]) expect(() => formatSize(wrong)).toThrow("what must hold");
  });
});
