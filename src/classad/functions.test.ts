import { describe, expect, it } from "vitest";
import { worth } from "../../test/classad-value.ts";
import { createRandom } from "../base/index.ts";

type Table = readonly (readonly [text: string, value: string])[];

/** Checks a table of expressions and their values. */
function shows(table: Table): void {
  it.each(table)("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
}

describe("CA-20 calls", () => {
  shows([
    ["ISUNDEFINED(x)", "true"],
    ["noSuchFunction(1)", "error"],
    ["int()", "error"],
    ["int(1, 2)", "error"],
    ["strcat()", '""'],
    ["strcat(error, undefined)", "error"],
    ["strcat(1, undefined)", "undefined"],
    ["substr(undefined, 1)", "undefined"],
    ['userHome("alice")', "undefined"],
  ]);
});

describe("kinds", () => {
  const values = {
    Undefined: "undefined",
    Error: "error",
    String: '"a"',
    Integer: "3",
    Real: "3.0",
    Boolean: "true",
    AbsTime: 'absTime("2027-01-01T00:00:00Z")',
    RelTime: 'relTime("1")',
    List: "{}",
    ClassAd: "[]",
  };
  it.each(Object.keys(values))("is%s is true of its own kind alone", (kind) => {
    for (const [other, text] of Object.entries(values)) {
      expect(worth(`is${kind}(${text})`), text).toBe(String(other === kind));
    }
  });
});

describe("conversion", () => {
  shows([
    ["int(3.9)", "3"],
    ["int(-3.9)", "-3"],
    ['int(" 0x1f ")', "31"],
    ['int("-2K")', "-2048"],
    ['int("12abc")', "12"],
    ['int(relTime("1:01.5"))', "61"],
    ["int(true)", "1"],
    ["int(1e300)", "error"],
    ["real(2)", "2.0"],
    ['real("1e3")', "1000.0"],
    ['real("-inf")', 'real("-INF")'],
    ['real(absTime("1970-01-01T00:00:01Z"))', "1.0"],
    ["real({})", "error"],
    ["string(1.5)", '"1.500000000000000E+00"'],
    ["string(0.0)", '"0.0"'],
    ['string({1, "a"})', String.raw`"{ 1,\"a\" }"`],
    ["string(undefined)", "undefined"],
    ['bool("TRUE")', "true"],
    ['bool("maybe")', "undefined"],
    ["bool(0.0)", "false"],
    ['bool(relTime("1"))', "true"],
    ["bool({})", "error"],
  ]);
});

describe("expressions", () => {
  shows([
    ["ifThenElse(true, 1, error)", "1"],
    ["ifThenElse(0.0, error, 2)", "2"],
    ["ifThenElse(undefined, 1, 2)", "undefined"],
    ['ifThenElse("x", 1, 2)', "error"],
    ['eval("1 + 2")', "3"],
    ["eval(1 + 2)", "3"],
    ['eval("1 +")', "error"],
    ['[slot5_State = "idle"; n = 4; s = eval(strcat("slot", n + 1, "_State"))].s', '"idle"'],
    ["[a = x+3; t = unparse(a)].t", '"x + 3"'],
    ["unparse(nothing)", '""'],
    ["unparse(1 + 2)", "error"],
    ["[r = Os == 1 && target.Arch == 2 && other.ARCH != 3 && c; c = 1; u = unresolved(r)].u", '"Arch,Os"'],
    ['[r = OsAndMore; u = unresolved(r, "^Os"); v = unresolved(r, "^more")].u', "true"],
    ['[r = OsAndMore; v = unresolved(r, "^more")].v', "false"],
    ["unresolved(nothing)", "undefined"],
    ["evalInEachContext(p > n, { [p = 3], [p = 1; n = 0], [n = 2] })", "{ undefined, true, undefined }"],
    ["evalInEachContext(p, { 3, undefined })", "{ error, undefined }"],
    ["countMatches(p > 2, { [p = 3], undefined, [p = 1] })", "1"],
    ["countMatches(p, undefined)", "0"],
    ["countMatches(p, 3)", "error"],
    ["debug(error)", "error"],
  ]);
});

describe("strings", () => {
  shows([
    ['strcat("n", 14, true, 1.5)', '"n14true1.500000000000000E+00"'],
    ['join("-", 1, undefined, "b")', '"1-b"'],
    ['join({1, undefined, "b"})', '"1b"'],
    ['join(", ", {1, 2})', '"1, 2"'],
    ['join("-", {1}, 2)', '"{ 1 }-2"'],
    ['join(undefined, "a", "b")', '"ab"'],
    ['join("-", error)', "error"],
    ['join("-")', '""'],
    ['substr("abcde", 1)', '"bcde"'],
    ['substr("abcde", 1, 2)', '"bc"'],
    ['substr("abcde", -2)', '"de"'],
    ['substr("abcde", 1, -1)', '"bcd"'],
    ['substr("abcde", -9, 3)', '"abc"'],
    ['substr("abcde", 2, 0)', '""'],
    ['substr("abcde", 9)', '""'],
    ["substr(3, 1)", "error"],
    ['strcmp("a", "B")', "1"],
    ['stricmp("a", "B")', "-1"],
    ['stricmp("Linux", "LINUX")', "0"],
    ["strcmp(10, 9)", "-1"],
    ['toUpper("abcß")', '"ABCß"'],
    ["toLower(TRUE)", '"true"'],
    ['split(" a  b\\tc ")', '{ "a", "b", "c" }'],
    ['split("a:b,c", ",:")', '{ "a", "b", "c" }'],
    ['splitUserName("ann@site@x")', '{ "ann", "site@x" }'],
    ['splitUserName("ann")', '{ "ann", "" }'],
    ['splitSlotName("host")', '{ "", "host" }'],
    ['size("abc") + size({1, 2}) + size([a = 1])', "6"],
    ["size(3)", "error"],
  ]);
});

describe("lists", () => {
  shows([
    ['member("LINUX", {1, "Linux"})', "true"],
    ["member(1, {undefined, error, 1.0})", "true"],
    ["member(1, {})", "false"],
    ["member(undefined, {1})", "undefined"],
    ["member({1}, {{1}})", "error"],
    ["member(1, 1)", "error"],
    ['identicalMember("LINUX", {"Linux"})', "false"],
    ["identicalMember(undefined, {1, undefined})", "true"],
    ["identicalMember(1, undefined)", "undefined"],
    ['anyCompare("<", {5, "a", 2}, 3)', "error"],
    ['anyCompare("is", {5, 3.0}, 3)', "false"],
    ['allCompare(">=", {5, 3}, 3)', "true"],
    ['allCompare(">=", {5, undefined}, 3)', "false"],
    ['allCompare("<", {}, 3)', "true"],
    ['anyCompare("+", {5}, 3)', "error"],
    ["sum({1, undefined, 2})", "3"],
    ["sum({1, 2.5})", "3.5"],
    ["sum({})", "0"],
    ["sum({undefined})", "0"],
    ['sum({"1"})', "error"],
    ["avg({1, 2})", "1.5"],
    ["avg({})", "0"],
    ["min({3, 1.5, 2})", "1.5"],
    ["max({3, 1.5, 2})", "3.0"],
    ["max({})", "undefined"],
    ["max({9, 4})", "9"],
  ]);
});

describe("string lists", () => {
  shows([
    ['stringListSize("a, b,,c")', "3"],
    ['stringListSize("a;b c", ";")', "2"],
    ['stringListSum("1, 2")', "3"],
    ['stringListSum("1, 2.5")', "3.5"],
    ['stringListSum("")', "0.0"],
    ['stringListAvg("1, 2")', "1.5"],
    ['stringListAvg("")', "0.0"],
    ['stringListMin("3, 1, 2")', "1"],
    ['stringListMax("3, 1.0, 2")', "3.0"],
    ['stringListMax("")', "undefined"],
    ['stringListMin("1, a")', "error"],
    ['stringListMember("b", "a, b")', "true"],
    ['stringListMember("B", "a, b")', "false"],
    ['stringListIMember("B", "a, b")', "true"],
    ['stringListMember(1, "1")', "error"],
    ['stringListMember("a b", "a b;c", ";")', "true"],
    ['stringListsIntersect("a, b", "b, c")', "true"],
    ['stringListsIntersect("a, b", "c")', "false"],
    ['stringListSubsetMatch("a, a", "b, a")', "true"],
    ['stringListSubsetMatch("A", "b, a")', "false"],
    ['stringListISubsetMatch("A", "b, a")', "true"],
    ['stringListSubsetMatch(undefined, "a")', "true"],
    ['stringListSubsetMatch("a", undefined)', "false"],
    ["stringListSubsetMatch(undefined, undefined)", "undefined"],
    ['stringListSubsetMatch(3, "a")', "error"],
  ]);
});

describe("functions with regular expressions", () => {
  shows([
    ['regexp("^MPICH-2\\\\.", "MPICH-2.1")', "true"],
    ['regexp("mpich", "MPICH")', "false"],
    [`regexp("mpich", "MPICH", "I")`, "false"],
    ['regexp("^b", "a\\nb")', "false"],
    ['regexp("^b", "a\\nb", "m")', "true"],
    ['regexp("a.b", "a\\nb")', "false"],
    ['regexp("a.b", "a\\nb", "s")', "true"],
    ['regexp("a", undefined)', "undefined"],
    ['regexp("a", 3)', "error"],
    ['regexpMember("b", {})', "false"],
    ['regexpMember("b", {undefined, "ab"})', "true"],
    ['regexpMember("b", {undefined, "a"})', "undefined"],
    ['regexpMember("b", {1, "b"})', "error"],
    ['regexpMember("b", {"b", 1})', "true"],
    ['stringList_regexpMember("^b", "a, bc")', "true"],
    ['stringList_regexpMember("^c", "a, bc")', "false"],
    ['stringList_regexpMember("^B", "a;b", ";", "i")', "true"],
    ['regexps("(\\\\w+)@(\\\\w+)", "to ann@west now", "\\\\2:\\\\1")', '"west:ann"'],
    ['regexps("x", "abc", "\\\\0")', '""'],
    ['regexps("a", "banana", "<\\\\0>", "g")', '"<a><a><a>"'],
    ['regexps("a", "banana", "o", "f")', '"bonana"'],
    ['replace("a", "banana", "o")', '"bonana"'],
    ['replaceAll("a", "banana", "o")', '"bonono"'],
    ['replaceAll("x*", "ab", "-")', '"-a-b-"'],
    ['replace("x", "abc", "o")', '"abc"'],
    ['replace("a", "abc", "\\\\1")', "error"],
    ['replace("(a)|(b)", "b", "[\\\\1\\\\2]")', '"[b]"'],
  ]);
});

describe("supported regular expressions, and their matches", () => {
  shows([
    ['regexps("a{2,3}", "aaaa", "\\\\0")', '"aaa"'],
    ['regexps("a{2,3}?", "aaaa", "\\\\0")', '"aa"'],
    ['regexps("(a|ab)(c|bcd)(d*)", "abcd", "\\\\1,\\\\2,\\\\3")', '"a,bcd,"'],
    ['regexps("(?:ab)+", "xababy", "\\\\0")', '"abab"'],
    ['regexps("<.*?>", "<a><b>", "\\\\0")', '"<a>"'],
    ['regexps("[^a-c\\\\d]+", "abc12xyz9", "\\\\0")', '"xyz"'],
    ['regexps("[]a-]+", "x-]a", "\\\\0")', '"-]a"'],
    ['regexps("\\\\bb\\\\w*", "abc bcd", "\\\\0")', '"bcd"'],
    ['regexp("^[[:alpha:]_]\\\\w{0,7}$", "name_1")', "true"],
    ['regexp("a$", "a\\n")', "true"],
    ['regexp("a\\\\z", "a\\n")', "false"],
    ['regexp("(a)\\\\1", "aa")', "error"],
    ['regexp("(?=a)", "a")', "error"],
    ['regexp("(?<!a)b", "b")', "error"],
    ['regexp("a++", "a")', "error"],
    ['regexp("(a", "a")', "error"],
    ['regexp("*a", "a")', "error"],
    ['regexp("[b-a]", "a")', "error"],
    ['regexp("a{3,2}", "a")', "error"],
  ]);

  it.each(["(a*)*b", "(a|a)*b", "(x+x+)+y", "a?".repeat(60), ".*.*.*.*=.*"])(
    "%s takes no longer than others on a text made for it",
    (pattern) => {
      const begun = performance.now();
      worth(`regexp("${pattern}$", "${"ax".repeat(40)}${"a".repeat(120)}c")`);
      expect(performance.now() - begun).toBeLessThan(5_000);
    },
  );
});

describe("time", () => {
  shows([
    ["time()", "1000000000"],
    ["currentTime()", 'absTime("2001-09-09T01:46:40-00:00")'],
    ["dayTime()", 'relTime("01:46:40")'],
    ["timeZoneOffset()", 'relTime("00")'],
    ['absTime("2027-03-01")', 'absTime("2027-03-01T00:00:00-00:00")'],
    ['absTime("2027-03-01 08:30 +01:00")', 'absTime("2027-03-01T08:30:00+01:00")'],
    ['absTime("2027-02-29")', 'absTime("2027-03-01T00:00:00-00:00")'],
    ['absTime("2028-02-29T24:00:00")', 'absTime("2028-03-01T00:00:00-00:00")'],
    ["absTime(0, 3600)", 'absTime("1970-01-01T01:00:00+01:00")'],
    ["absTime(1e12)", "error"],
    ['relTime("1d2h30m0.5s")', 'relTime("1+02:30:0.5")'],
    ['relTime("90")', 'relTime("01:30")'],
    ["relTime(-5)", 'relTime("-05")'],
    ['relTime("soon")', "error"],
    ['splitTime(absTime("2027-03-01T08:30:15+01:00")).Offset', "3600"],
    ['splitTime(relTime("2+01:02:03.25")).seconds', "3.25"],
    ["splitTime(3).seconds", "3"],
    ['getYear(absTime("2027-03-01T00:30:00+01:00"))', "2027"],
    ['getMonth(absTime("2027-03-01T00:30:00+01:00"))', "2"],
    ['getDayOfMonth(absTime("2028-02-29"))', "29"],
    ['getDayOfYear(absTime("2028-12-31"))', "365"],
    ['getDayOfWeek(absTime("2027-03-01"))', "1"],
    ['getHours(relTime("2+03:04:05"))', "3"],
    ['getDays(relTime("2+03:04:05"))', "2"],
    ['getMinutes(relTime("-00:04:05"))', "-4"],
    ['getYear(relTime("1"))', "error"],
    ["formatTime(0)", '"Thu Jan  1 00:00:00 1970"'],
    [
      'formatTime(absTime("2027-03-01T13:05:09+01:00"), "%A %d %B %Y, %I:%M %p, %j, %U %W %w, %y %% %Z %q")',
      '"Monday 01 March 2027, 01:05 PM, 060, 09 09 1, 27 % +01:00 %q"',
    ],
    ['formatTime(splitTime(absTime("2027-03-01T13:05:09+01:00")), "%x %X")', '"03/01/27 13:05:09"'],
    ['formatTime("now")', "error"],
    ["interval(1472523)", '"17+01:02:03"'],
    ["interval(67)", '"1:07"'],
    ["interval(7)", '"7"'],
  ]);

  it("is in the zone of the evaluation where none is given", () => {
    const context = { zoneOffsetSeconds: 7_200 };
    expect(worth('absTime("2027-03-01T08:00")', context)).toBe('absTime("2027-03-01T08:00:00+02:00")');
    expect(worth('formatTime(0, "%H")', context)).toBe('"02"');
  });

  it("is nowhere but in what is handed in", () => {
    expect(worth("time()", { nowMs: 1_999 })).toBe("1");
  });
});

describe("numbers", () => {
  shows([
    ["floor(-1.5)", "-2"],
    ['ceiling("1.2")', "2"],
    ["ceil(3)", "3"],
    ["round(2.5)", "2"],
    ["round(3.5)", "4"],
    ["round(-0.5)", "0"],
    ["floor({})", "error"],
    ["floor(1e300)", "error"],
    ["pow(3, 4)", "81"],
    ["pow(2, 53)", "9007199254740992"],
    ["pow(2, 63)", "error"],
    ["pow(0, 0)", "1"],
    ["pow(-1, 1000000001)", "-1"],
    ["pow(2, -2)", "0.25"],
    ["pow(4, 0.5)", "2.0"],
    ['pow("2", 2)', "4.0"],
    ["quantize(3, 8)", "8"],
    ["quantize(17, 8)", "24"],
    ["quantize(1.5, 6.8)", "6.8"],
    ["quantize(3.5, 2)", "4"],
    ["quantize(3, 0)", "error"],
    ["quantize(3, {1, 4, 8})", "4"],
    ["quantize(20, {1, 4, 8})", "24"],
    ['quantize(3, {1, 2, "A"})', "error"],
    ["quantize(3, {})", "error"],
  ]);
});

describe("versions", () => {
  it("000 < 00 < 01 < 010 < 09 < 0 < 1 < 9 < 10, and so in longer ones", () => {
    const rising = ["000", "00", "01", "010", "09", "0", "1", "9", "10"];
    for (const [at, version] of rising.entries()) {
      for (const [other, another] of rising.entries()) {
        const order = Number(worth(`versioncmp("7.${version}", "7.${another}")`));
        expect(Math.sign(order)).toBe(Math.sign(at - other));
      }
    }
  });
  shows([
    ['versionGT("7.10", "7.9")', "true"],
    ['versionLT("7.x", "7.y")', "true"],
    ['versionGE("1.0", "1.0") && versionLE("1.0", "1.0") && versionEQ("1.0", "1.0")', "true"],
    ['version_in_range("8.9.11", "8.8", "8.9.11")', "true"],
    ['version_in_range("9", "8.8", "8.9.11")', "false"],
    ['versioncmp("1", undefined)', "undefined"],
  ]);
});

describe("random numbers", () => {
  it("comes from the generator that is handed in", () => {
    const draws = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => worth("random(1000)", { random }));
    };
    expect(draws(1)).toEqual(draws(1));
    expect(draws(1)).not.toEqual(draws(2));
    expect(draws(3).every((draw) => Number(draw) >= 0 && Number(draw) < 1000)).toBe(true);
  });
  shows([
    ["isReal(random()) && random() < 1", "true"],
    ["isReal(random(2.0))", "true"],
    ["random(0)", "error"],
    ['random("a")', "error"],
  ]);
});
