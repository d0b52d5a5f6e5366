/** Writing SWF: what it looks like, and that it reads back the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { swfFieldIsIntegral } from "./fields.ts";
import { readSwf } from "./read.ts";
import { swfWriter } from "./write.ts";

function written(fill: (writer: ReturnType<typeof swfWriter>) => void): string[] {
  const pieces: string[] = [];
  const writer = swfWriter((text) => pieces.push(text));
  fill(writer);
  writer.flush();
  return pieces;
}

async function readBack(text: string): Promise<{ rows: number[][]; comments: readonly string[] }> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  }
  const rows: number[][] = [];
  const reader = readSwf(bytes(), { file: "t.swf", lenient: false });
  for await (const batch of reader) {
    for (let row = 0; row < batch.count; row++) rows.push(batch.fields.map((column) => column[row] ?? 0));
  }
  return { rows, comments: reader.header.lines };
}

const unknown = Array.from({ length: 18 }, () => -1);
const safe = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const fractional = fc
  .double({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true })
  .map((value) => value + 0);
const row = fc.tuple(
  ...swfFieldIsIntegral.map((isIntegral, column) =>
    (isIntegral ? safe : fractional).map((value) => (column === 1 ? Math.abs(value) : value)),
  ),
);

describe("writing", () => {
  it("FO-13 the text is SWF", () => {
    const text = written((writer) => {
      writer.entry("Version", "2.2");
      writer.entry("MaxProcs", 128);
      writer.entry("Note", "two\nlines");
      writer.comment("");
      writer.comment("made by stint\nfor you ");
      writer.row([1, 0, 5.25, 10, 4, 0.001, -1, 4, 20, -1, 1, 3, 1, -1, 1, -1, -1, 1.5e-9]);
    }).join("");
    expect(text).toBe(
      "; Version: 2.2\n; MaxProcs: 128\n; Note: two\n;   lines\n;\n; made by stint\n; for you\n" +
        "1 0 5.25 10 4 0.001 -1 4 20 -1 1 3 1 -1 1 -1 -1 0.0000000015\n",
    );
  });

  it("FO-13 the text reads back as the same numbers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const text = written((writer) => rows.forEach((values) => void writer.row(values))).join("");
        expect(text).not.toMatch(/e/i);
        expect((await readBack(text)).rows).toEqual(rows);
      }),
    );
  });

  it("FO-13 a comment never becomes a row", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (comment, value) => {
        const text = written((writer) => {
          writer.comment(comment.replaceAll("\0", ""));
          writer.entry("Note", value.replaceAll("\0", ""));
        }).join("");
        expect((await readBack(text)).rows).toEqual([]);
      }),
    );
  });

  it("FO-13 comes in pieces of about 64 KiB", () => {
    const pieces = written((writer) => {
      for (let count = 0; count < 5000; count++) writer.row([count, 0, ...unknown.slice(2)]);
    });
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(65_536);
      expect(piece.length).toBeLessThan(66_000);
    }
  });

  it.each([
    ["17 fields", unknown.slice(1), "18 fields"],
    ["not a number", [Number.NaN, ...unknown.slice(1)], "finite"],
    ["beyond 2^53", [2 ** 53, ...unknown.slice(1)], "within"],
    ["half a job", [1.5, ...unknown.slice(1)], "whole numbers"],
  ])("FO-13 a row with %s is a programmer's error", (_, values, message) => {
    expect(() => written((writer) => writer.row(values))).toThrow(message);
  });
});
