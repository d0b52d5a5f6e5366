import { describe, expect, it } from "vitest";
import { adFrom, worth } from "../../test/classad-value.ts";
import { adOf, evaluateAttribute, valueText } from "./index.ts";

const job = adFrom(`
  Need = 4; x = 1; Label = "job";
  inner = [ x = 2; own = x; outer = parent.x; root = .x; mine = self.x; up = Need;
            deep = [ twice = parent.parent.x; x = 3; once = parent.x; whole = .Label;
                     opposite = other.Free ] ]
`);
const site = adFrom(`Free = Total - 2; Total = 10; x = 100; Back = other.Need; Bare = Need; Label = "site"`);

describe("CA-16 bare names", () => {
  it.each([
    ["x", "1"],
    ["Total", "10"],
    ["Free", "8"],
    ["nobodys", "undefined"],
    ["inner.own", "2"],
    ["inner.up", "4"],
    ["CurrentTime", "1000000000"],
  ])("%s is %s", (text, value) => {
    expect(worth(text, { self: job, other: site })).toBe(value);
  });

  it("are not looked for elsewhere where there is no other ad", () => {
    expect(worth("Total", { self: job })).toBe("undefined");
  });
});

describe("scopes", () => {
  it.each([
    ["other.x", "100"],
    ["TARGET.x", "100"],
    ["self.x + my.x", "2"],
    [".x", "1"],
    ["parent.x", "undefined"],
    ["inner.outer", "1"],
    ["inner.root", "1"],
    ["inner.mine", "2"],
    ["inner.deep.twice", "1"],
    ["inner.deep.once", "2"],
    ["inner.deep.whole", '"job"'],
    ["inner.deep.opposite", "8"],
    ["other.Back", "4"],
    ["other.Bare", "4"],
    ["other.other.Label", '"job"'],
    ["other.nobodys", "undefined"],
  ])("%s is %s", (text, value) => {
    expect(worth(text, { self: job, other: site })).toBe(value);
  });

  it("know no other ad where there is none", () => {
    expect(worth("other.x", { self: job })).toBe("undefined");
  });
});

describe("circles", () => {
  it.each([
    ["a = a", "error"],
    ["a = b; b = c; c = a", "error"],
    ["a = isError(b); b = a", "true"],
    ["a = {1, a}", "{ 1, error }"],
    ["a = [ b = parent.a.b ].b", "error"],
    ["a = r.x; r = [ x = parent.r.x ]", "error"],
    ['a = eval("a")', "error"],
    ["a = b + b; b = 2", "4"],
  ])("in %s a is %s", (text, value) => {
    expect(worth("a", { self: adFrom(text) })).toBe(value);
  });

  it("through both ads of a match", () => {
    const [self, other] = [adFrom("a = other.b"), adFrom("b = other.a")];
    expect(worth("a", { self, other })).toBe("error");
  });
});

describe("plain values", () => {
  it("become what they are", () => {
    const ad = adOf({ s: "x", i: 3, r: 0.5, big: 2 ** 60, b: true, n: null, l: [1, "a"], sub: { y: 2 } });
    const texts = [..."sirbnl"].map((name) => valueText(evaluateAttribute(name, { self: ad })));
    expect(texts).toEqual(['"x"', "3", "0.5", "true", "undefined", '{ 1, "a" }']);
    expect(worth("sub.Y + i", { self: ad })).toBe("5");
    expect(worth("isReal(big)", { self: ad })).toBe("true");
  });
});
