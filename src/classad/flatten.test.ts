import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { adNode, expressionNode } from "../../test/plain/classad-arbitrary.ts";
import { compileAd, compileExpression } from "./compile.ts";
import { adOf, evaluate, flattened, parseAd, parseExpression, unparse, valueText } from "./index.ts";

function read<Read>(result: { readonly ok: true; readonly value: Read } | { readonly ok: false }): Read {
  if (!result.ok) throw new Error("it cannot be read");
  return result.value;
}

/** The flattened text of an expression in an ad. */
function flat(expression: string, ad: string): string {
  return unparse(flattened(read(parseExpression(expression)), read(parseAd(ad))));
}

const other = fc
  .dictionary(
    fc.constantFrom("a", "b", "c", "d", "E", "x"),
    fc.oneof(
      fc.boolean(),
      fc.integer({ min: -3, max: 70 }),
      fc.constantFrom(1.5, "a", "12"),
      fc.constant([1, "b"]),
    ),
  )
  .map(adOf);

describe("CA-53 Partial evaluation", () => {
  it.each([
    ["other.Memory >= Need * 2", "Need = 2K", "other.Memory >= 4096"],
    ["Memory > 1 && Ready", "Ready = true", "Memory > 1"],
    ["Ready && other.x", "Ready = true", "true && other.x"],
    ["START", "START = Load < Limit\nLimit = 1 + 1\nLoad = other.Load", "other.Load < 2"],
    ["self.a + .b + self.c", "a = 1\nb = 2", "undefined"],
    ["a ? other.x : other.y", "a = 1 > 2", "other.y"],
    ["a ?: other.x + 0", "a = undefined", "other.x + 0"],
    ["site.free > other.x", "site = [ free = total - 1; total = 5 ]", "4 > other.x"],
    ["time() > a + 1", "a = 1", "time() > 2"],
    ["{ a, other.x, random(a) }", "a = 1", "{ 1, other.x, random(1) }"],
    ["false && other.x", "", "false"],
    // Circles, and parts whose names may lead back, stay.
    ["a", "a = other.x || b\nb = isError(a)", "other.x || true"],
    ["a + 1", 'a = other.x + self["a"]', "a + 1"],
    ["other.x + self.a", "other = [ x = 2 ]; a = 1", "2 + self.a"],
  ])("%s in %s is %s", (expression, ad, text) => {
    expect(flat(expression, ad)).toBe(text);
  });

  it("has the same value in a match", () => {
    const context = { nowMs: 1_780_228_800_123, zoneOffsetSeconds: 3_600 };
    fc.assert(
      fc.property(expressionNode, adNode, other, (node, record, opposite) => {
        const [expression, ad] = [compileExpression(node), compileAd(record)];
        const rest = compileExpression(flattened(expression, ad));
        const textOf = (one: typeof rest) =>
          valueText(evaluate(one, { ...context, self: ad, other: opposite }));
        expect(textOf(rest)).toBe(textOf(expression));
        const again = read(parseExpression(unparse(rest.node)));
        expect(textOf(again)).toBe(textOf(expression));
      }),
      draws(1_000),
    );
  });

  it("stays small, whatever refers to what", () => {
    const doubled = Array.from({ length: 60 }, (_, at) => `a${at + 1} = a${at} + a${at}`);
    expect(flat("a60", `a0 = other.x\n${doubled.join("\n")}`).length).toBeLessThan(200_000);
    const chain = (length: number) => Array.from({ length }, (_, at) => `a${at + 1} = a${at} + 1`).join("\n");
    expect(flat("a5000", `a0 = other.x\n${chain(5_000)}`)).toBe("a5000");
    expect(flat("a3", `a0 = other.x\n${chain(3)}`)).toBe("other.x + 1 + 1 + 1");
  });
});
