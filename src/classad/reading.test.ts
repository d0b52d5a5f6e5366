import { describe, expect, it } from "vitest";
import { adFrom, problemOf, worth } from "../../test/classad-value.ts";
import { parseAd, parseExpression, unparse } from "./index.ts";

function canonical(text: string): string {
  const read = parseExpression(text);
  return read.ok ? unparse(read.value.node) : read.refusal.code;
}

describe("names, blanks and comments", () => {
  it.each([
    ["FreeCPUs", "7"],
    ["freecpus", "7"],
    ["'free cpus'", "8"],
    ["'is'", "9"],
    ["  FreeCPUs // the rest is silence", "7"],
    ["# first a remark\nFreeCPUs /* and\nanother */ + 1", "8"],
    ["TRUE && True", "true"],
    ["Undefined", "undefined"],
  ])("%s is %s", (text, value) => {
    const self = adFrom("FreeCPUs = 7; 'free cpus' = 8; 'is' = 9");
    expect(worth(text, { self })).toBe(value);
  });

  it.each([
    ["is = 3", "reservedName 1:1"],
    ["a = 1;\n  True = 3", "reservedName 2:3"],
    ["1a = 3", "badNumber 1:1"],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(text, "ad")).toBe(problem);
  });
});

describe("numbers", () => {
  it.each([
    ["0", "0"],
    ["017", "15"],
    ["0x1F", "31"],
    ["2K", "2048"],
    ["3m", "3145728"],
    ["1G + 0", "1073741824"],
    ["2T", "2199023255552"],
    ["7B", "7"],
    ["1.5K", "1536.0"],
    [".5", "0.5"],
    ["2e9", "2000000000.0"],
    ["1.25e-3", "0.00125"],
    ["9007199254740991", "9007199254740991"],
    ["9223372036854775807", "9223372036854775807"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["0x7fffffffffffffff", "9223372036854775807"],
    ["0777777777777777777777", "9223372036854775807"],
    ["9000T", "9895604649984000"],
    ["-3", "-3"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });

  it.each(["08", "0x", "1.", "12abc", "5Kb", "9223372036854775808", "0x8000000000000000"])(
    "%s is none",
    (text) => {
      expect(problemOf(text)).toBe("badNumber 1:1");
    },
  );
});

describe("strings", () => {
  it.each([
    [String.raw`"a\tb"`, "a\tb"],
    [String.raw`"say \"yes\""`, 'say "yes"'],
    [String.raw`"\101\60"`, "A0"],
    [String.raw`"a\777"`, "a?7"],
    [String.raw`"\303\251\342\202\254 \351\303"`, "é€ éÃ"],
    [String.raw`"\a\v\?"`, "\x07\v?"],
    [String.raw`"c:\\temp\q"`, "c:\\tempq"],
    ['"one " "and two"', "one and two"],
    ['""', ""],
  ])("%s", (text, value) => {
    const read = parseExpression(text);
    expect(read.ok && read.value.node).toEqual({ kind: "literal", value: { kind: "string", value } });
  });

  it.each([
    ['1 + "abc', "unterminatedString 1:5"],
    ['"abc\n"', "unterminatedString 1:1"],
    ["'abc", "unterminatedString 1:1"],
    [String.raw`"\0"`, "badEscape 1:2"],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });
});

describe("operators bind as in the table", () => {
  it.each([
    ["1 + 2 * 3 - 4 / 2", "5"],
    ["10 - 3 - 2", "5"],
    ["1 << 2 + 1", "8"],
    ["1 < 2 == true", "true"],
    ["1 | 6 ^ 3 & 2", "5"],
    ["false && false || true", "true"],
    ["true || true && false", "true"],
    ["- 2 * 3", "-6"],
    ["!false && false", "false"],
    ["true ? 1 : false ? 2 : 3", "1"],
    ["false ? 1 : true ? 2 : 3", "2"],
    ["undefined ?: undefined ?: 3", "3"],
    ["1 == 2 ? 3 : 4", "4"],
    ["[a = {5, 6}].a[1] * 2", "12"],
    ["3 is 3 && 3 isnt 4", "true"],
    ["(1 + 2) * 3", "9"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("ads", () => {
  it.each([
    ["[ a = 1; b = a + 1 ]"],
    ["[ a = 1; b = a + 1; ]"],
    ["[;; a = 1;; b = a + 1;;];"],
    ["a = 1; b = a + 1"],
    ["a = 1\nb = a +\n 1\n"],
    ["# a job\na = 1;\nb = a + 1;"],
  ])("%s", (text) => {
    expect(worth("b", { self: adFrom(text) })).toBe("2");
  });

  it("may have nothing in them", () => {
    expect(adFrom("").attributes.size + adFrom("[]").attributes.size).toBe(0);
  });

  it.each([
    ["[ a = 1\n b = 2 ]", "semicolonMissing 1:8"],
    ["a = 1 b = 2", "semicolonMissing 1:6"],
    ["[ a = 1; b ]", "unexpectedToken 1:12"],
    ["[ a = 1 ] + 2", "unexpectedToken 1:11"],
    ["{ 1 }", "unexpectedToken 1:1"],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(text, "ad")).toBe(problem);
  });
});

describe("CA-6 problems have a position, a reason and a remedy", () => {
  it.each([
    ["(1 + 2", "unexpectedEnd 1:7"],
    ["(1 + 2 ;", "unexpectedToken 1:8"],
    ["a = 3", "unexpectedToken 1:3"],
    ["1 +\n* 2", "unexpectedToken 2:1"],
    ["f(1,,)", "unexpectedToken 1:5"],
    ["{1, 2", "unexpectedEnd 1:6"],
    ["a ? b", "unexpectedEnd 1:6"],
    ["x.3", "unexpectedToken 1:2"],
    ["3 § 4", "unknownCharacter 1:3"],
    ["1 /* 2", "unterminatedComment 1:3"],
    ["", "unexpectedEnd 1:1"],
    ["is 3", "unexpectedToken 1:1"],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it("says which bracket is open, and that = does not compare", () => {
    const open = parseExpression("1 + (2 * {3, 4)");
    expect(open.ok || open.refusal.why).toBe("expected } to close { of line 1, column 10");
    const assigned = parseExpression("Memory = 3");
    expect(assigned.ok || assigned.refusal.remedy).toContain("compare with ==");
  });
});

describe("CA-7 canonical texts", () => {
  it.each([
    ["a+b*c", "a + b * c"],
    ["(a+b)*c", "(a + b) * c"],
    ["a-(b-c)", "a - (b - c)"],
    ["(a-b)-c", "a - b - c"],
    ["((a))", "a"],
    ["a is b isnt c", "a =?= b =!= c"],
    ["TARGET.x + my.y", "target.x + my.y"],
    ["Parent.parent.x", "parent.parent.x"],
    ["0x10 + 2K", "16 + 2048"],
    ["1.50e3", "1500.0"],
    ["1e300*1e10", "1e+300 * 10000000000.0"],
    ["- - 3", "3"],
    ["-(3)", "-3"],
    ["-(a)", "-a"],
    ["!(a&&b)", "!(a && b)"],
    ["(a?b:c)?d:e", "(a ? b : c) ? d : e"],
    ["a?b:(c?d:e)", "a ? b : c ? d : e"],
    ["(-1).x", "(-1).x"],
    ["(2).x", "(2).x"],
    ["{1,2}[0]", "{ 1, 2 }[0]"],
    ["[A=1;'b c'=.A]", "[ A = 1; 'b c' = .A ]"],
    ["Member ( x,{} )", "Member(x, {})"],
    ['"a" "\\n"', '"a\\n"'],
    ['absTime("2027-03-01 08:00Z")', 'absTime("2027-03-01T08:00:00-00:00")'],
    ['relTime("1d2h")', 'relTime("1+02:00:00")'],
    ['real("INF")', 'real("INF")'],
  ])("%s as %s", (text, written) => {
    expect(canonical(text)).toBe(written);
    expect(canonical(written)).toBe(written);
  });
});

describe("CA-6 too long and too deeply nested texts are problems", () => {
  it.each([
    ["brackets", `${"(".repeat(5_000)}1${")".repeat(5_000)}`],
    ["signs", `${"-".repeat(5_000)}a`],
    ["a chain of operators", Array(2_000).fill("a").join(" + ")],
    ["lists in lists", `${"{".repeat(5_000)}${"}".repeat(5_000)}`],
    ["choices", `${"a ? b : ".repeat(5_000)}c`],
  ])("%s", (_, text) => {
    expect(problemOf(text)).toMatch(/^tooDeep/);
  });

  it.each([
    ["a text", " ".repeat(1_000_001)],
    ["a string", `"${"x".repeat(65_537)}"`],
    ["strings side by side", `"${"x".repeat(40_000)}" "${"x".repeat(40_000)}"`],
  ])("%s", (_, text) => {
    expect(problemOf(text)).toBe("tooLong 1:1");
  });

  it("reads what is just within them", () => {
    expect(problemOf(`${"-".repeat(998)}a`)).toBe("nothing");
    expect(problemOf(Array(999).fill("a").join(" || "))).toBe("nothing");
    expect(parseAd(`a = "${"x".repeat(65_536)}"`).ok).toBe(true);
  });
});
