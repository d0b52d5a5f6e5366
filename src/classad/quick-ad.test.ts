import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { adNode } from "../../test/plain/classad-arbitrary.ts";
import { parseAd, unparse } from "./index.ts";
import { parseAnyAd } from "./parse.ts";
import { quickAd } from "./quick-ad.ts";

/** An ad as text, and what its attributes are, with their places. */
function told(text: string, read: typeof parseAd) {
  const ad = read(text);
  if (!ad.ok) return ad.refusal;
  const attributes = [...ad.value.attributes].map(([key, attribute]) => ({
    ...{ key, name: attribute.name, text: unparse(attribute.node), constant: attribute.constant },
    ...{ line: attribute.line, column: attribute.column },
    ...{ height: attribute.expression.height, size: attribute.expression.size },
  }));
  return { attributes, node: ad.value.node.attributes.map(({ key, node }) => [key, unparse(node)]) };
}

/** Pieces of ads, usual and unusual. */
const piece = fc.constantFrom(
  ...[
    "[",
    "]",
    ";",
    "\n",
    " ",
    "\t",
    "\r\n",
    "=",
    "==",
    "a",
    "B",
    "b = 1",
    "c = 1;",
    "'d e' = 2;",
    "is",
    "self",
  ],
  ...[
    "true",
    "TRUE",
    "false;",
    "undefined",
    '"text"',
    '"a\\"b"',
    '"',
    "\\",
    "'",
    "0",
    "017",
    "12.5",
    "1e3",
    "2K",
  ],
  ...[
    "{ 1, 2 }",
    "[ x = 1 ]",
    "x[0]",
    "// no",
    "# no",
    "/* no */",
    "/",
    "a + 1",
    "A?1:2",
    "(",
    ")",
    "\u00a0",
    "é",
  ],
  ...["999999999999999", "9999999999999999", "-1", "f(1;2)", '"a" "b"'],
);

describe("CA-6 problems and ads of texts read quickly", () => {
  it("are those of the parser", () => {
    const parts = fc.array(piece, { maxLength: 12 }).map((some) => some.join(""));
    const changed = fc.tuple(adNode, piece, fc.nat(), fc.nat({ max: 3 })).map(([node, inserted, at, cut]) => {
      const text = unparse(node).replaceAll("; ", ";\n  ");
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + cut);
    });
    const text = fc.oneof(
      parts,
      parts.map((part) => `[ ${part} ]`),
      changed,
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(told(one, parseAd)).toEqual(told(one, parseAnyAd));
      }),
      draws(2_000),
    );
  });

  it("share expressions of the same text", () => {
    const [one, another] = ['[ a = b + 1; c = "x" ]', "[ d = 2; a = b + 1 ]"].map((text) => quickAd(text));
    expect(one?.attributes.get("a")?.expression).toBe(another?.attributes.get("a")?.expression);
    expect(one?.attributes.get("a")?.column).toBe(7);
  });
});
