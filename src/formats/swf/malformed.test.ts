/** Malformed SWF: each message with its position, and what lenient reading makes of it. */
import { describe, expect, it } from "vitest";
import { Fault } from "../../base/index.ts";
import { swfField } from "./fields.ts";
import { readSwf } from "./read.ts";

const file = "t.swf";
const good = "1 0 5 10 4 -1 -1 4 20 -1 1 3 1 -1 1 -1 -1 -1";

async function* pieces(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

async function read(bytes: AsyncIterable<Uint8Array>, lenient: boolean) {
  const reader = readSwf(bytes, { file, lenient });
  try {
    for await (const batch of reader) expect(batch.count).toBeGreaterThan(0);
  } catch (error) {
    if (error instanceof Fault) return { reader, fault: error };
    throw error;
  }
  return { reader, fault: undefined };
}

/** The good line with one field replaced. */
function withField(column: number, text: string): string {
  return good
    .split(" ")
    .map((field, index) => (index === column ? text : field))
    .join(" ");
}

describe("malformed lines", () => {
  const { runtime, allocatedProcs, requestedProcs, user, submit, jobNumber } = swfField;
  it.each([
    ["FO-8 17 fields", good.slice(0, -3), "2:42: found 17 of 18 fields", "swfFieldCount"],
    ["FO-8 19 fields", `${good} 7`, "2:46: found 19 of 18 fields", "swfFieldCount"],
    ["FO-8 one word", "hello", "2:6: found 1 of 18 fields", "swfFieldCount"],
    ["FO-8 a comment after data", `${good} ;late`, "2:46: a comment after data", "swfTrailingComment"],
    ["FO-8 a comment inside data", "1 2 ;3", "2:5: a comment after data", "swfTrailingComment"],
    ["FO-5 a word", withField(runtime, "ten"), '2:7: "ten" is not a number', "swfNotANumber"],
    ["FO-5 NaN", withField(runtime, "NaN"), '2:7: "NaN" is not a number', "swfNotANumber"],
    ["FO-5 nan", withField(runtime, "nan"), '2:7: "nan" is not a number', "swfNotANumber"],
    ["FO-5 Infinity", withField(runtime, "Infinity"), '2:7: "Infinity" is not', "swfNotANumber"],
    ["FO-5 hexadecimal", withField(runtime, "0x10"), '2:7: "0x10" is not', "swfNotANumber"],
    ["FO-5 a lone minus", withField(runtime, "-"), '2:7: "-" is not a number', "swfNotANumber"],
    ["FO-5 a lone point", withField(runtime, "."), '2:7: "." is not a number', "swfNotANumber"],
    ["FO-5 two points", withField(runtime, "1.2.3"), '2:7: "1.2.3" is not', "swfNotANumber"],
    ["FO-5 a number with a tail", withField(runtime, "12s"), '2:7: "12s" is not', "swfNotANumber"],
    ["FO-5 a decimal comma", withField(runtime, "1,5"), '2:7: "1,5" is not', "swfNotANumber"],
    ["FO-5 half an exponent", withField(runtime, "1e"), '2:7: "1e" is not', "swfNotANumber"],
    ["FO-5 other digits", withField(runtime, "１"), '2:7: "１" is not', "swfNotANumber"],
    ["FO-5 beyond 2^53", withField(runtime, "9007199254740992"), "is out of range", "swfNumberTooLarge"],
    ["FO-5 far beyond", withField(runtime, "-1e400"), "is out of range", "swfNumberTooLarge"],
    [
      "FO-5 half a processor",
      withField(allocatedProcs, "2.5"),
      "a fractional processor",
      "swfFractionalField",
    ],
    [
      "FO-5 half a requested one",
      withField(requestedProcs, "0.1"),
      "a fractional proc",
      "swfFractionalField",
    ],
    ["FO-5 half a user", withField(user, "1.5"), '2:28: "1.5" is fractional', "swfFractionalField"],
    ["FO-5 half a job", withField(jobNumber, "15e-1"), '2:1: "15e-1" is fractional', "swfFractionalField"],
    ["FO-5 an unknown submit time", withField(submit, "-1"), '2:3: no submit time: "-1"', "swfNoSubmitTime"],
    ["FO-5 a negative submit time", withField(submit, "-0.5"), "2:3: no submit time", "swfNoSubmitTime"],
    ["FO-8 a zero byte", withField(runtime, "1\0"), "2:8: this does not look like", "swfBinary"],
    ["FO-8 a return inside a line", `${good}\r${good}`, "2:45: this does not look like", "swfBinary"],
    ["FO-8 a zero byte in a comment", "; a\0b", "2:4: this does not look like", "swfBinary"],
    ["FO-8 a long line", "7 ".repeat(50_000), "2:1: a line longer than 65536 bytes", "swfLineTooLong"],
    ["FO-8 a long comment", `;${"x".repeat(70_000)}`, "2:1: a line longer than", "swfLineTooLong"],
    ["FO-8 a row padded too far", good.concat(" ".repeat(65_536)), "2:1: a line longer", "swfLineTooLong"],
    ["FO-8 a long number", withField(runtime, "1".repeat(60_000).concat("x")), "2:7: ", "swfNotANumber"],
  ])("%s", async (_, bad, what, code) => {
    const { fault } = await read(pieces(`${good}\n${bad}\n${good}\n`), false);
    expect(fault).toMatchObject({ kind: "badInput", code });
    expect(fault?.what).toContain(what);
    expect(fault?.what.startsWith(`${file}:2:`)).toBe(true);
    expect(fault?.why).not.toBe("");
    expect(fault?.remedy).not.toBe("");

    const { reader, fault: none } = await read(pieces(`${good}\n${bad}\n${good}\n`), true);
    expect(none).toBeUndefined();
    expect(reader).toMatchObject({ rows: 2, lines: 3, malformed: 1 });
    expect(reader.malformedMessages[0]).toBe(fault?.message);
  });

  it("FO-8 columns count characters, also after tabs", async () => {
    const { fault } = await read(pieces(`\t1\t 0  5 oops${" 1".repeat(14)}\n`), false);
    expect(fault?.what).toBe(`${file}:1:10: "oops" is not a number`);
  });

  it("FO-8 when lenient, the first five messages are held and all are counted", async () => {
    const { reader } = await read(pieces(`${good}\n`, "bad\n".repeat(9000)), true);
    expect(reader.malformed).toBe(9000);
    expect(reader.malformedMessages).toHaveLength(5);
    expect(reader.malformedMessages[4]).toContain(`${file}:6:4: found 1 of 18 fields`);
  });
});

describe("files that are not SWF", () => {
  const noise = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 0xff);
  it.each([
    ["FO-8 a binary file", noise, "plain or packed"],
    ["FO-8 a million zero bytes", new Uint8Array(1_000_000), "plain or packed"],
    ["FO-8 an xz file", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 1], "unpack it first (xz -dk FILE)"],
    ["FO-8 a zstd file", [0x28, 0xb5, 0x2f, 0xfd, 4, 0, 1], "unpack it first (zstd -dk FILE)"],
    ["FO-8 UTF-16 text", [0xff, 0xfe, 0x31, 0, 0x20, 0], "unpack it first (iconv"],
  ])("%s is one clear error, lenient too", async (_, bytes, remedy) => {
    for (const lenient of [false, true]) {
      const { fault } = await read(pieces(Uint8Array.from(bytes)), lenient);
      expect(fault).toMatchObject({ kind: "badInput", code: "swfBinary" });
      expect(fault?.remedy).toContain(remedy);
    }
  });
});

describe("what is quoted", () => {
  it.each([
    ["FO-8 escape sequences are escaped", "\u001b[31mred", "swfBinary", "0x1b"],
    ["FO-8 direction marks are escaped", "\u202eabc", "swfNotANumber", '"\\u{202e}abc"'],
    ["FO-8 at most 40 characters are quoted", "a".repeat(60), "swfNotANumber", `"${"a".repeat(40)}…"`],
    ["FO-8 letters of any script are quoted as they are", "zahlé", "swfNotANumber", '"zahlé"'],
  ])("%s", async (_, text, code, shown) => {
    const { fault } = await read(pieces(withField(swfField.runtime, text)), false);
    expect(fault?.code).toBe(code);
    expect(`${fault?.what} ${fault?.why}`).toContain(shown);
  });

  it("FO-8 an endless line is refused before it is held in memory", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++;
        yield new Uint8Array(1000).fill(0x31);
      }
    }
    const { fault } = await read(endless(), false);
    expect(fault?.code).toBe("swfLineTooLong");
    expect(fault?.what.length).toBeLessThan(200);
    expect(given).toBe(66);
  });
});
