import { describe, expect, it } from "vitest";
import { adFrom, worth } from "../../test/classad-value.ts";

const strictOperators = ["+", "*", "%", "==", "!=", "<", ">=", "&", "^", "<<", ">>>"];

describe("CA-8 strict operators", () => {
  it.each(strictOperators)("%s of an error is one, of nothing defined undefined", (operator) => {
    expect(worth(`error ${operator} undefined`)).toBe("error");
    expect(worth(`undefined ${operator} error`)).toBe("error");
    expect(worth(`undefined ${operator} 3`)).toBe("undefined");
    expect(worth(`3 ${operator} undefined`)).toBe("undefined");
    expect(worth(`{} ${operator} undefined`)).toBe("undefined");
    expect(worth(`{} ${operator} 3`)).toBe("error");
  });

  it.each([
    ["true + true", "2"],
    ["true == 1", "true"],
    ["false < 0.5", "true"],
    ['"3" + 4', "error"],
    ['"3" == 3', "error"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("CA-9 arithmetic", () => {
  it.each([
    ["7 / 2", "3"],
    ["-7 / 2", "-3"],
    ["-7 % 2", "-1"],
    ["7 % -2", "1"],
    ["7 / 2.0", "3.5"],
    ["7.5 % 2", "error"],
    ["1 / 0", "error"],
    ["1 % 0", "error"],
    ["1.0 / 0", "error"],
    ["-1.0 / 0", 'real("-INF")'],
    ["0.0 / 0", 'real("NaN")'],
    ["-0.0", "-0.0"],
    ["0 * -1", "0"],
    ["9007199254740991 + 1", "9007199254740992"],
    ["9223372036854775807 - 1", "9223372036854775806"],
    ["9223372036854775807 + 1", "error"],
    ["9223372036854775807 / 2", "4611686018427387903"],
    ["-9223372036854775808 % 10", "-8"],
    ["-(-9223372036854775808)", "error"],
    ["9007199254740991 + 1.0", "9007199254740992.0"],
    ["3037000500 * 3037000500", "error"],
    ["-(3)", "-3"],
    ['-"a"', "error"],
    ["+true", "error"],
    ["-true", "error"],
    ['absTime("2027-01-01T00:00:00Z") - absTime("2026-12-31T23:00:00Z")', 'relTime("01:00:00")'],
    ['absTime("2027-01-01T00:00:00Z") + relTime("0.7")', 'absTime("2027-01-01T00:00:00-00:00")'],
    ['relTime("1") + absTime("2027-01-01T00:00:00+02:00")', 'absTime("2027-01-01T00:00:01+02:00")'],
    ['absTime("2027-01-01T00:00:00Z") - relTime("0.2")', 'absTime("2027-01-01T00:00:00-00:00")'],
    ['absTime("2027-01-01T00:00:00Z") + 1', "error"],
    ['relTime("1:00") * 3', 'relTime("03:00")'],
    ['2.5 * relTime("1:00")', 'relTime("02:30")'],
    ['relTime("1:00") / 4', 'relTime("15")'],
    ['4 / relTime("1:00")', "error"],
    ['-relTime("1:00")', 'relTime("-01:00")'],
    ['relTime("1:00") - relTime("2:00")', 'relTime("-01:00")'],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("CA-10 comparison", () => {
  it.each([
    ['"Linux" == "LINUX"', "true"],
    ['"abc" < "ABD"', "true"],
    ['"ab" < "abc"', "true"],
    ['"Ä" == "ä"', "false"],
    ["3 == 3.0", "true"],
    ["2 < 3 && 3 <= 3 && 4 > 3 && 4 >= 4 && 3 != 4", "true"],
    ['real("NaN") == real("NaN")', "false"],
    ['real("NaN") != 1', "true"],
    ['absTime("2027-01-01T01:00:00+01:00") == absTime("2027-01-01T00:00:00Z")', "true"],
    ['relTime("1:00") > relTime("59")', "true"],
    ['relTime("1:00") == 60', "error"],
    ["{1} == {1}", "error"],
    ["[a = 1] == [a = 1]", "error"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("CA-11 identity is never undefined or error", () => {
  it.each([
    ['"Linux" =?= "LINUX"', "false"],
    ["3 =?= 3.0", "false"],
    ["1 =?= true", "false"],
    ["undefined =?= undefined", "true"],
    ["error =?= error", "true"],
    ["error =?= undefined", "false"],
    ["x =!= undefined", "false"],
    ['10 =!= "ABC"', "true"],
    ["{1, {2}} =?= {1, {2}}", "true"],
    ["{1, 2} =?= {1}", "false"],
    ["[a = 1 + 1] =?= [a = 1+1]", "true"],
    ["[a = 1 + 1] =?= [a = 2]", "false"],
    ['real("NaN") =?= real("NaN")', "false"],
    ["0.0 =?= -0.0", "true"],
    ['absTime("2027-01-01T01:00:00+01:00") =?= absTime("2027-01-01T00:00:00Z")', "false"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

const truths = ["true", "false", "undefined", "error"] as const;
const tables = {
  "&&": [
    ["true", "false", "undefined", "error"],
    ["false", "false", "false", "false"],
    ["undefined", "false", "undefined", "error"],
    ["error", "error", "error", "error"],
  ],
  "||": [
    ["true", "true", "true", "true"],
    ["true", "false", "undefined", "error"],
    ["true", "undefined", "undefined", "error"],
    ["error", "error", "error", "error"],
  ],
};

describe("CA-12 logic", () => {
  it.each(["&&", "||"] as const)("%s has its table", (operator) => {
    for (const [row, left] of truths.entries()) {
      for (const [column, right] of truths.entries()) {
        const expected = tables[operator][row][column];
        expect(worth(`${left} ${operator} ${right}`), `${left} ${operator} ${right}`).toBe(expected);
      }
    }
  });

  it.each([
    ["!true", "false"],
    ["!undefined", "undefined"],
    ["!error", "error"],
    ['!"true"', "error"],
    ["2 && 0.5", "true"],
    ["0 || 0.0", "false"],
    ['true && "foobar"', "error"],
    ['false && "foobar"', "false"],
    ['undefined || "foobar"', "error"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("choice", () => {
  it.each([
    ["true ? 1 : error", "1"],
    ["0 ? 1 : 2", "2"],
    ["undefined ? 1 : 2", "undefined"],
    ['"yes" ? 1 : 2', "error"],
    ["error ? 1 : 2", "error"],
    ["x ?: 3", "3"],
    ["false ?: 3", "false"],
    ["error ?: 3", "error"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("bits", () => {
  it.each([
    ["12 & 10", "8"],
    ["12 | 3", "15"],
    ["12 ^ 10", "6"],
    ["~0", "-1"],
    ["1 << 40", "1099511627776"],
    ["1 << 60", "1152921504606846976"],
    ["-16 >> 2", "-4"],
    ["-1 >>> 40", "16777215"],
    ["-1 >>> 1", "9223372036854775807"],
    ["1 << 64", "error"],
    ["1 << -1", "error"],
    ["true & false", "error"],
    ["true ^ 1", "error"],
    ["true << 1", "error"],
    ["1.0 & 1", "error"],
    ["~true", "error"],
  ])("%s is %s", (text, value) => {
    expect(worth(text)).toBe(value);
  });
});

describe("parts", () => {
  const self = adFrom("l = {10, x, 30}; a = [ n = 1; m = n + 1; s = 'odd name'; 'odd name' = 5 ]; x = 20");
  it.each([
    ["l[1]", "20"],
    ["l[3]", "error"],
    ["l[-1]", "error"],
    ["l[undefined]", "undefined"],
    ["l[1.0]", "error"],
    ["nothing[1]", "undefined"],
    ["x[1]", "error"],
    ['a["M"]', "2"],
    ['a["odd" + " name"]', "error"],
    ['a["nothing"]', "undefined"],
    ["a.s", "5"],
    ["a.nothing", "undefined"],
    ["x.y", "error"],
    ["nothing.y", "undefined"],
    ["{ a, [n = 7], 3 }.n", "{ 1, 7, error }"],
    ["{}.n", "{}"],
    ["a", "[ n = 1; m = n + 1; s = 'odd name'; 'odd name' = 5 ]"],
  ])("%s is %s", (text, value) => {
    expect(worth(text, { self })).toBe(value);
  });
});
