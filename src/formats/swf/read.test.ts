/** Reading SWF: what is accepted, which numbers come out, and that chunks make no difference. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { swfField, swfFieldCount, swfFieldIsIntegral } from "./fields.ts";
import { readPlainLine } from "./plain-line.ts";
import { readSwf } from "./read.ts";

const file = "t.swf";
const good = "1 0 5 10 4 -1 -1 4 20 -1 1 3 1 -1 1 -1 -1 -1";
const goodRow = good.split(" ").map(Number);

async function* chunked(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    // A copy, so that reading behind a chunk's end cannot go unnoticed.
    yield Uint8Array.from(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  yield bytes.subarray(from);
}

/** All that a reading gives, or the message of the fault that ended it. */
async function readText(text: string | Uint8Array, lenient = false, cuts: readonly number[] = []) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reader = readSwf(chunked(bytes, cuts), { file, lenient });
  const rows: number[][] = [];
  const lines: number[] = [];
  let fault = "";
  try {
    for await (const batch of reader) {
      for (let row = 0; row < batch.count; row++) {
        rows.push(batch.fields.map((column) => column[row] ?? Number.NaN));
        lines.push(batch.line[row] ?? Number.NaN);
      }
    }
  } catch (error) {
    fault = String(error);
  }
  const { malformed, malformedMessages, header } = reader;
  const partial = fault === "" ? { rows, lines } : {};
  return {
    ...partial,
    fault,
    malformed,
    malformedMessages: [...malformedMessages],
    comments: [...header.lines],
  };
}

describe("what is accepted", () => {
  it.each([
    ["FO-5 a plain line", `${good}\n`, [1]],
    ["FO-5 a last line without its end", good, [1]],
    ["FO-5 a last line with a lone CR", `${good}\r`, [1]],
    ["FO-5 blanks around and between", `   ${good.replaceAll(" ", "   ")}  \n`, [1]],
    ["FO-5 tabs", `\t${good.replaceAll(" ", "\t")}\t\n`, [1]],
    ["FO-5 CRLF", `${good}\r\n${good} \r\n`, [1, 2]],
    ["FO-5 blank lines", `\n \t\n\r\n${good}\n\n${good}\n\n`, [4, 6]],
    ["FO-5 comments anywhere, indented too", `; a: b\n${good}\n  ;note\n${good}\n;`, [2, 4]],
    ["FO-5 a byte order mark", `\uFEFF${good}\n`, [1]],
    ["FO-5 a byte order mark before a comment", `\uFEFF; Version: 2.2\n${good}\n`, [2]],
    ["FO-5 no rows at all", "; nothing\n\n", []],
    ["FO-5 an empty file", "", []],
  ])("%s", async (_, text, lines) => {
    const found = await readText(text);
    expect(found.fault).toBe("");
    expect(found.lines).toEqual(lines);
    for (const row of found.rows ?? []) expect(row).toEqual(goodRow);
  });

  it("FO-5 more rows than a batch holds come in order", async () => {
    const numbers = Array.from({ length: 9000 }, (_, index) => index + 1);
    const found = await readText(numbers.map((n) => good.replace("1", String(n))).join("\n"));
    expect(found.lines).toEqual(numbers);
    expect(found.rows?.map((row) => row[swfField.jobNumber])).toEqual(numbers);
  });

  it("a batch filled by the last line is delivered once", async () => {
    expect((await readText(`${good}\n`.repeat(8192))).lines).toHaveLength(8192);
  });
});

describe("numbers", () => {
  it.each([
    ["0", 0],
    ["-0", 0],
    ["-1", -1],
    ["+7", 7],
    ["007", 7],
    ["142.00", 142],
    ["552.21", 552.21],
    ["0.001", 0.001],
    ["-2.5", -2.5],
    ["5.", 5],
    [".5", 0.5],
    ["1e5", 100000],
    ["1.5E+3", 1500],
    ["25e-1", 2.5],
    ["123456789012345", 123456789012345],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["123456.7890123456789", 123456.78901234567],
    ["0.30000000000000004", 0.30000000000000004],
    ["00000000000000000000.1", 0.1],
  ])("FO-5 %s is read as a number", async (text, value) => {
    const found = await readText(good.replace("10", text));
    expect(found.fault).toBe("");
    expect(Object.is(found.rows?.[0]?.[swfField.runtime], value)).toBe(true);
  });

  it("FO-5 decimals are the nearest double", async () => {
    const decimal = fc
      .tuple(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: 0, max: 999_999 }),
        fc.integer({ min: 1, max: 6 }),
      )
      .map(([whole, part, places]) => `${whole}.${String(part).padStart(6, "0").slice(0, places)}`);
    await fc.assert(
      fc.asyncProperty(fc.array(decimal, { minLength: 1, maxLength: 50 }), async (texts) => {
        const found = await readText(texts.map((text) => good.replace("10", text)).join("\n"));
        expect(found.rows?.map((row) => row[swfField.runtime])).toEqual(texts.map(Number));
      }),
    );
  });
});

/** Mostly numbers, some of them odd, some not numbers, in lines that are mostly of 18 fields. */
const oddToken = fc.constantFrom(
  "-1",
  "2.5",
  "7.0",
  "1e2",
  "+3",
  "-0",
  "x",
  "-",
  ".",
  "1.2.3",
  ";",
  "NaN",
  "0x1",
  "\0",
  "\r",
  "9007199254740993",
  "1234567890123456",
  "-5",
);
const token = fc.oneof({ weight: 30, arbitrary: fc.nat().map(String) }, { weight: 1, arbitrary: oddToken });
const separator = fc.constantFrom(" ", " ", "  ", "\t");
const line = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(18) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
    ),
    fc.array(token, { minLength: 20, maxLength: 20 }),
    separator,
    fc.constantFrom("", "", " ", "\r"),
  )
  .map(([count, tokens, between, end]) => `${tokens.slice(0, count).join(between)}${end}`);

describe("one meaning", () => {
  it("the fast reader agrees with the plain one on every line", async () => {
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        // After a good row, so that binary lines are skipped like others.
        const found = await readText(`${good}\n${text}\n`, true);
        const content = text.replace(/\r$/, "");
        const plain = readPlainLine(content);
        const isNoRow = /^[ \t]*(;[^\0]*)?$/.test(content);
        expect(found.fault).toBe("");
        expect(found.rows?.slice(1)).toEqual(plain.ok ? [plain.value] : []);
        expect(found.malformed).toBe(plain.ok || isNoRow ? 0 : 1);
      }),
      draws(2000),
    );
  });

  it("the boundaries of chunks make no difference", async () => {
    const text = fc.array(fc.oneof(line, fc.constantFrom("; Note: é", "", good, good)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.array(fc.nat(2000)), async (lines, lenient, cuts) => {
        const bytes = new TextEncoder().encode(lines.join("\n"));
        const whole = await readText(bytes, lenient);
        const inRange = cuts.filter((cut) => cut <= bytes.length);
        expect(await readText(bytes, lenient, inRange)).toEqual(whole);
        const everywhere = Array.from(bytes, (_, index) => index);
        expect(await readText(bytes, lenient, everywhere)).toEqual(whole);
      }),
      draws(300),
    );
  });

  it("overlong lines are refused alike for any chunks", async () => {
    const long = `${"1 ".repeat(40_000)}\n`;
    const bytes = new TextEncoder().encode(
      `${good}\n${long}${good}\n; ${"x".repeat(65_534)}\n${long}${good}`,
    );
    const whole = await readText(bytes, true);
    expect(whole).toMatchObject({ fault: "", malformed: 2, lines: [1, 3, 6] });
    for (const cuts of [
      [47],
      [60, 65_000, 66_000],
      [70_000, 80_045, 80_046],
      [65_581, 65_582, 65_583, 65_584],
    ]) {
      expect(await readText(bytes, true, cuts)).toEqual(whole);
    }
  });

  it("FO-5 the whole columns are the identifiers and counts", () => {
    const integral = Object.entries(swfField).filter(([, column]) => swfFieldIsIntegral[column] === true);
    expect(integral.map(([name]) => name)).toEqual(
      ["jobNumber", "allocatedProcs", "requestedProcs", "status", "user", "group"].concat([
        "executable",
        "queue",
        "partition",
        "precedingJob",
      ]),
    );
    expect(Object.keys(swfField)).toHaveLength(swfFieldCount);
  });
});
