import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileAd } from "../../src/classad/compile.ts";
import {
  type ClassAdValue,
  evaluate,
  findMatches,
  parseExpression,
  tableOf,
  unparse,
} from "../../src/classad/index.ts";
import type { Node } from "../../src/classad/language.ts";
import { draws } from "../draws.ts";
import { plainValue } from "./classad.ts";
import { adNode, expressionNode } from "./classad-arbitrary.ts";
import { type Plain, truth } from "./classad-values.ts";

const { numRuns } = draws(1000);

/** A value of the compiled evaluator in the plain one's form; ads by their text. */
function asPlain(value: ClassAdValue): unknown {
  if (value.kind === "list") return ["list", value.items.map(asPlain)];
  if (value.kind === "ad") return ["ad", unparse(value.scope.ad.node)];
  if (value.kind === "integer") return ["integer", value.exact ?? BigInt(value.value)];
  return "value" in value ? [value.kind, value.value] : [value.kind];
}

function named(value: Plain): unknown {
  if (value[0] === "list") return ["list", value[1].map(named)];
  return value[0] === "ad" ? ["ad", unparse(value[1].record)] : value;
}

function read(node: Node) {
  const again = parseExpression(unparse(node));
  if (!again.ok) throw new Error(`${unparse(node)}: ${JSON.stringify(again.refusal)}`);
  return again.value;
}

/** Texts of other kinds than strings are not the plain version's business. */
const isBeyond = (node: Node) => /strcmp|stricmp|tolower/.test(unparse(node));

describe("the compiled evaluator and the plain one", () => {
  it("agree on every value", () => {
    fc.assert(
      fc.property(expressionNode, adNode, adNode, (node, self, other) => {
        fc.pre(![node, self, other].some(isBeyond));
        const context = { self: compileAd(self), other: compileAd(other) };
        expect(asPlain(evaluate(read(node), context))).toEqual(named(plainValue(node, self, other)));
      }),
      { numRuns },
    );
  });

  it("agree on which ads match", () => {
    fc.assert(
      fc.property(expressionNode, adNode, expressionNode, adNode, (mine, job, theirs, site) => {
        fc.pre(![mine, job, theirs, site].some(isBeyond));
        const [one, another] = [withRequirements(job, mine), withRequirements(site, theirs)];
        const requirement: Node = { kind: "absolute", name: "Requirements", key: "requirements" };
        const matches =
          truth(plainValue(requirement, one, another)) === true &&
          truth(plainValue(requirement, another, one)) === true;
        expect(findMatches(compileAd(one), tableOf([compileAd(another)]))).toHaveLength(Number(matches));
      }),
      { numRuns },
    );
  });
});

function withRequirements(ad: Parameters<typeof compileAd>[0], node: Node) {
  const requirements = { name: "Requirements", key: "requirements", node, line: 1, column: 1 };
  return { kind: "record" as const, attributes: [...ad.attributes, requirements] };
}

describe("CA-7 every expression reads back as itself", () => {
  it("from its canonical text, of which there is one", () => {
    fc.assert(
      fc.property(expressionNode, (node) => {
        const again = read(node).node;
        expect(withoutPlaces(again)).toEqual(withoutPlaces(node));
        expect(unparse(again)).toBe(unparse(node));
      }),
      { numRuns },
    );
  });
});

/** Lines and columns depend on how a text was laid out. */
function withoutPlaces(node: Node): unknown {
  return JSON.parse(
    JSON.stringify(node, (name, value) => {
      if (name === "line" || name === "column") return 0;
      if (typeof value === "bigint") return String(value);
      return typeof value === "number" && !Number.isSafeInteger(value) ? String(value) : value;
    }),
  );
}
