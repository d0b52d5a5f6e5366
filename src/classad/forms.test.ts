import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { adNode } from "../../test/plain/classad-arbitrary.ts";
import { compileAd } from "./compile.ts";
import { type AdForm, formOf, type Node, parseExpression, readAds, unparse, writeAds } from "./index.ts";
import type { RecordNode } from "./language.ts";
import { rebuiltRecord } from "./rebuilt.ts";

/** The ads of a text by their canonical texts; a problem as `code line:column`. */
function told(text: string, form?: AdForm): readonly string[] | string {
  const read = readAds(text, form);
  if (!read.ok) return `${read.refusal.code} ${read.refusal.line}:${read.refusal.column}`;
  return read.value.map(({ node }) => unparse(node));
}

const LONG = `Type = "M"
Cpus = 4
Start = TARGET.Owner =!= "x" && MY.Cpus > 1 # not much
Dir = "C:\\temp\\"

-- Schedd: here
Args = "say \\"a\\\\b\\" \\n"
*** Offset = 0 ClusterId = 1
a = 1
`;

describe("CA-52 forms of ads", () => {
  it("are recognised by their text", () => {
    const texts: readonly (readonly [string, AdForm])[] = [
      [LONG, "long"],
      ["\n# by a person\na = 1\nb = 2", "long"],
      ["a = 1;\nb = 2;", "new"],
      ["a = {\n 1 }", "new"],
      ["[ a = 1 ]\n[ b = 2 ]", "new"],
      ["{ [ a = 1 ],\n[ b = 2 ] }", "new"],
      ["[]", "new"],
      ['[\n{ "a": 1 } ]', "json"],
      ['{ "a": 1 }', "json"],
      ["{}", "json"],
      ['<?xml version="1.0"?><classads></classads>', "xml"],
      ["", "long"],
    ];
    expect(texts.map(([text]) => formOf(text))).toEqual(texts.map(([, form]) => form));
  });

  it("long: many to a file, strings by the old rule, comments and lines between ads", () => {
    expect(told(LONG)).toEqual([
      '[ Type = "M"; Cpus = 4; Start = target.Owner =!= "x" && my.Cpus > 1; Dir = "C:\\\\temp\\\\" ]',
      '[ Args = "say \\"a\\\\\\\\b\\" \\\\n" ]',
      "[ a = 1 ]",
    ]);
    expect(told("a = 1\r\nA = 2\r\n\r\n \t\r\nb = 3\r\n")).toEqual(["[ A = 2 ]", "[ b = 3 ]"]);
  });

  it("XML as condor_status writes it", () => {
    const text = `<?xml version="1.0"?>
<!DOCTYPE classads SYSTEM "classads.dtd">
<classads>
<c>
    <a n="Name"><s>a &lt;b&gt; &amp;c&#10;</s></a><a n="Cpus"><i>4</i></a><a n="Load"><r>1.5E+00</r></a>
    <a n="Ok"><b v="t"/></a><a n="Not"><b v='f'/></a><a n="U"><un/></a><a n="E"><er/></a>
    <a n="Start"><e>TARGET.x &gt; 1</e></a><a n="L"><l><i>1</i><s></s><c><a n="b"><i>2</i></a></c></l></a>
    <!-- no --><a n="Whole"><r>2</r></a><a n="Empty"><l/></a>
</c>
<c></c>
</classads>`;
    expect(told(text)).toEqual([
      '[ Name = "a <b> &c\\n"; Cpus = 4; Load = 1.5; Ok = true; Not = false; U = undefined; E = error; ' +
        'Start = target.x > 1; L = { 1, "", [ b = 2 ] }; Whole = 2.0; Empty = {} ]',
      "[]",
    ]);
  });

  it("JSON as condor_status writes it, and after tools that rewrite it", () => {
    const text = `[
{ "Name": "a\\u00e9\\n", "Cpus": -4, "Load": 1.5e0, "U": null, "Start": "\\/Expr(TARGET.x > \\"1\\")\\/" },
{ "S": "/Expr(1 + x)/", "L": [ 1, { "b": 2 } ], "big": 1.0 }
]`;
    expect(told(text)).toEqual([
      '[ Name = "aé\\n"; Cpus = -4; Load = 1.5; U = undefined; Start = target.x > "1" ]',
      "[ S = 1 + x; L = { 1, [ b = 2 ] }; big = 1.0 ]",
    ]);
    expect(told('{ "a": 1 }\n{ "a": 2 }')).toEqual(["[ a = 1 ]", "[ a = 2 ]"]);
  });

  it.each<readonly [string, AdForm | undefined, string]>([
    ["a = 1\nb = (2\nc = 3", "long", "unexpectedEnd 2:7"],
    ['a = "C:\\x\\y" + * 2', undefined, "unexpectedToken 1:16"],
    ["a = 1\n\n  nonsense", "long", "unexpectedToken 3:3"],
    ["[ a = 1 ]\n [ b = ; ]", undefined, "unexpectedToken 2:8"],
    ["[ a = 1 ] x", undefined, "unexpectedEnd 1:12"],
    ["{ [ a = 1 ]", undefined, "unexpectedToken 1:12"],
    ['[ { "a": 1,\n "b" 2 } ]', undefined, "unexpectedToken 2:6"],
    ['[ { "a": "\\/Expr(1 +)\\/" } ]', undefined, "unexpectedEnd 1:10"],
    ['{ "a": "x', undefined, "unexpectedToken 1:8"],
    ["<c><a n='x'><i>1</i></b></c>", undefined, "unexpectedToken 1:21"],
    ["<c><a n='x'><i>1", undefined, "unexpectedEnd 1:17"],
    ["<c><a n='x'><s>&nbsp;</s></a></c>", undefined, "badEscape 1:16"],
    ['<!DOCTYPE x [<!ENTITY a "b">]><c/>', undefined, "unexpectedToken 1:1"],
    [`${"[".repeat(600)}{`, "json", "unexpectedToken 1:501"],
  ])("problems have their place: %s", (text, form, problem) => {
    expect(told(text, form)).toBe(problem);
  });

  it.each<AdForm>(["new", "long", "xml", "json"])(
    "%s: what is written reads back as the same ads",
    (form) => {
      const odd = fc
        .constantFrom(
          "a\\",
          "C:\\x\\",
          '\\"',
          "it's",
          "\\n",
          "/Expr(1)/",
          "\u0001",
          "&<>",
          "a\r\nb",
          "\\\\",
          "'",
        )
        .map((value): Node => ({ kind: "literal", value: { kind: "string", value } }));
      const oddAd = fc.tuple(adNode, odd, odd).map(([{ attributes }, one, another]): RecordNode => {
        const list: Node = { kind: "list", items: [one, another] };
        const added = [one, list, another].map((node, at) => {
          return { name: `it's ${at}`, key: `it's ${at}`, node, line: 1, column: 1 };
        });
        return { kind: "record", attributes: [...attributes, ...added] };
      });
      fc.assert(
        fc.property(fc.array(oddAd, { minLength: 1, maxLength: 3 }), (nodes) => {
          const text = writeAds(nodes.map(compileAd), form);
          const read = readAds(text, form);
          if (!read.ok) throw new Error(`${text}\n${JSON.stringify(read.refusal)}`);
          const again = read.value.map(({ node }) => unparse(form === "long" ? withoutEval(node) : node));
          expect(again).toEqual(nodes.map(unparse));
        }),
        draws(300),
      );
    },
  );
});

/** Strings that the old syntax cannot write are the value of `eval("…")` there. */
function withoutEval(ad: RecordNode): RecordNode {
  return rebuiltRecord(ad, (node) => {
    if (node.kind !== "call" || node.key !== "eval" || node.operands[0].kind !== "literal") return undefined;
    const { value } = node.operands[0];
    const read = parseExpression(value.kind === "string" ? value.value : "");
    return read.ok ? read.value.node : undefined;
  });
}
