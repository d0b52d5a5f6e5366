import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adFrom } from "../../test/classad-value.ts";
import { draws } from "../../test/draws.ts";
import { adNode, expressionNode } from "../../test/plain/classad-arbitrary.ts";
import { createRandom } from "../base/index.ts";
import { compileAd } from "./compile.ts";
import {
  type ClassAd,
  evaluateAttribute,
  explainMatch,
  findMatches,
  type MatchContext,
  type Node,
  tableOf,
} from "./index.ts";
import type { BinaryOperator, RecordNode, Scalar } from "./language.ts";

const { numRuns } = draws(100);

/** Matches one by one, with ranks as in rule CA-36. */
function oneByOne(ad: ClassAd, ads: readonly ClassAd[], context: MatchContext = {}) {
  return ads.flatMap((other, index) => {
    if (!explainMatch(ad, other, context).matches) return [];
    const value = evaluateAttribute("rank", { ...context, self: ad, other });
    const counted = "value" in value && typeof value.value !== "string" ? Number(value.value) : 0;
    return [{ index, rank: Number.isNaN(counted) ? 0 : counted }];
  });
}

const KEYS = ["a", "b", "c", "d", "e"];
const name = fc.constantFrom(...KEYS).map((one) => ({ name: one, key: one }));

const literal = (value: number): Node => ({ kind: "literal", value: { kind: "integer", value } });
const number = fc.integer({ min: 0, max: 2 }).map(literal);
const named: fc.Arbitrary<Node> = fc.oneof(
  name.map((one): Node => ({ kind: "reference", ...one })),
  fc.tuple(name, fc.constantFrom("self", "other")).map(
    ([one, scope]): Node => ({
      kind: "select",
      of: { kind: "scope", scope, name: scope, key: scope },
      ...one,
    }),
  ),
);

/**
 * One side of a job's comparison: an attribute of its own or of the other ad, or a number; sometimes any
 * node.
 */
const side = fc.oneof(
  { weight: 6, arbitrary: named },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: expressionNode },
);

const compared: fc.Arbitrary<Node> = fc
  .tuple(fc.constantFrom<BinaryOperator>("<", "<=", "!=", ">=", ">", "=?=", "||"), side, side)
  .map(([operator, left, right]) => ({ kind: "binary", operator, left, right }));

/** Comparisons joined by `&&`, sometimes any node. */
const demand: fc.Arbitrary<Node> = fc
  .array(fc.oneof({ weight: 8, arbitrary: compared }, { weight: 1, arbitrary: side }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.reduce((left, right) => ({ kind: "binary", operator: "&&", left, right })));

const odd: fc.Arbitrary<Node> = fc.oneof(
  fc
    .constantFrom<Scalar>(
      ...[-0, 0.5, Number.NaN, Number.POSITIVE_INFINITY].map((value) => ({ kind: "real" as const, value })),
      ...["a", "A", "1", ""].map((value) => ({ kind: "string" as const, value })),
      ...[
        { kind: "undefined" } as const,
        { kind: "error" } as const,
        { kind: "boolean", value: true } as const,
      ],
    )
    .map((value): Node => ({ kind: "literal", value })),
  side,
);

const flatAd: fc.Arbitrary<RecordNode> = fc
  .array(fc.oneof({ weight: 8, arbitrary: number }, { weight: 1, arbitrary: odd }), {
    minLength: 5,
    maxLength: 5,
  })
  .chain((nodes) =>
    fc.subarray(
      nodes.map((node, at) => [KEYS[at], node] as const),
      { minLength: 2 },
    ),
  )
  .map(recordOf);

function recordOf(entries: readonly (readonly [string, Node])[]): RecordNode {
  const attributes = entries.map(([one, node]) => ({ name: one, key: one, node, line: 1, column: 1 }));
  return { kind: "record", attributes };
}

function withAttribute(ad: RecordNode, one: string, node: Node | null): RecordNode {
  const added = node === null ? [] : recordOf([[one, node]]).attributes;
  return { kind: "record", attributes: [...ad.attributes, ...added] };
}

const anyAd = fc.oneof({ weight: 9, arbitrary: flatAd }, { weight: 1, arbitrary: adNode });
const asking = fc
  .tuple(anyAd, fc.option(demand, { freq: 8 }), fc.option(side))
  .map(([ad, wanted, rank]) => withAttribute(withAttribute(ad, "requirements", wanted), "rank", rank));

/** 40 rows with few values and `Requirements`, so that some are equal and some are not. */
const rows = fc
  .tuple(
    fc.array(anyAd, { minLength: 1, maxLength: 8 }),
    fc.array(fc.option(demand, { freq: 1 }), { minLength: 1, maxLength: 2 }),
  )
  .map(([ads, demands]) =>
    Array.from({ length: 40 }, (_, row) =>
      withAttribute(ads[row % ads.length], "requirements", demands[row < 30 ? 0 : row % demands.length]),
    ),
  );

const behind: fc.Arbitrary<Node> = fc
  .constantFrom("s", "t", "requirements")
  .map((key): Node => ({ kind: "reference", name: key, key }));
/** A comparison, a choice between demands by the job or the row, or a name, joined by `&&`. */
const deepDemand: fc.Arbitrary<Node> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: compared },
      { weight: 1, arbitrary: behind },
      {
        weight: 2,
        arbitrary: fc
          .tuple(compared, demand, demand)
          .map((operands): Node => ({ kind: "call", name: "ifThenElse", key: "ifthenelse", operands })),
      },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => parts.reduce((left, right) => ({ kind: "binary", operator: "&&", left, right })));

/** 40 rows that demand what `s` and `t` demand, which are alike in all of them, or not. */
const behindNames = fc
  .tuple(fc.array(flatAd, { minLength: 1, maxLength: 8 }), deepDemand, deepDemand, deepDemand, fc.boolean())
  .map(([ads, start, limits, other, isAlike]) =>
    Array.from({ length: 40 }, (_, row) => {
      const begun = withAttribute(ads[row % ads.length], "s", isAlike || row % 5 > 0 ? start : other);
      const whole: Node = {
        ...{ kind: "binary", operator: "&&" },
        left: { kind: "reference", name: "s", key: "s" },
        right: { kind: "reference", name: "t", key: "t" },
      };
      return withAttribute(withAttribute(begun, "t", limits), "requirements", whole);
    }),
  );

const drawn = adFrom("Requirements = random() < 0.7; Rank = random()");

describe("CA-39 many ads at once", () => {
  it("are matched as each by itself", () => {
    fc.assert(
      fc.property(asking, rows, (job, sites) => {
        const [ad, ads] = [compileAd(job), sites.map(compileAd)];
        const table = tableOf(ads);
        expect(findMatches(ad, table)).toEqual(oneByOne(ad, ads));
        expect(findMatches(ad, table)).toEqual(oneByOne(ad, ads));
      }),
      { numRuns },
    );
  });

  it("where demands of rows are behind names, alike in all or not, and several jobs ask in turn", () => {
    fc.assert(
      fc.property(fc.array(asking, { minLength: 1, maxLength: 3 }), behindNames, (jobs, sites) => {
        const ads = sites.map((site) => compileAd(site));
        const table = tableOf(ads);
        for (const job of [...jobs, ...jobs]) {
          const ad = compileAd(job);
          expect(findMatches(ad, table)).toEqual(oneByOne(ad, ads));
        }
      }),
      { numRuns },
    );
  });

  it("with what each evaluation may cost", () => {
    const ad = adFrom(
      "b = 2; Requirements = other.a >= b && size(other.c) == 5 && other.a < 9; Rank = other.a",
    );
    const ads = Array.from({ length: 40 }, (_, at) =>
      adFrom(`a = ${at % 9}; c = {1, 2, 3, 4, 5}; Requirements = other.b < 3 && a >= ${at % 2} && a < 7`),
    );
    const counts = new Set<number>();
    for (let workLimit = 1; workLimit < 60; workLimit++) {
      const found = findMatches(ad, tableOf(ads), { workLimit });
      expect(found).toEqual(oneByOne(ad, ads, { workLimit }));
      counts.add(found.length);
    }
    expect([...counts]).toEqual([0, 22]);
  });

  it("with what each evaluation may cost, behind names", () => {
    const ad = adFrom("b = 2; Requirements = other.a >= b; Rank = other.a + other.d");
    const ads = Array.from({ length: 40 }, (_, at) =>
      adFrom(`a = ${at % 9}; d = 1; s = d > 0 && other.b < 3;
        t = ifThenElse(other.b > 1, a > 3 && d < 2, a > 9);
        Requirements = s && t`),
    );
    const counts = new Set<number>();
    for (let workLimit = 1; workLimit < 60; workLimit++) {
      const [found, single] = [
        findMatches(ad, tableOf(ads), { workLimit }),
        oneByOne(ad, ads, { workLimit }),
      ];
      expect(found).toEqual(single);
      counts.add(found.length);
    }
    expect([...counts]).toEqual([0, 20]);
  });

  it("with the same draws as going through them in order", () => {
    const ads = Array.from({ length: 60 }, (_, at) =>
      adFrom(`a = ${at % 7}; Requirements = ${at % 2 === 0 ? "random() < 0.9" : "other.b == 1"}`),
    );
    const random = createRandom(3);
    const found = findMatches(drawn, tableOf(ads), { random: createRandom(3) });
    expect(found).toEqual(
      ads.flatMap((ad, at) =>
        findMatches(drawn, tableOf([ad]), { random }).map(({ rank }) => ({ index: at, rank })),
      ),
    );
    expect(found.length).toBeGreaterThan(5);
  });

  it.each([
    [
      "a name that the job has as an expression",
      "a = other.b",
      "b = 1; Requirements = a == 1",
      "b = 2; Requirements = a == 1",
    ],
    [
      "a name that is the job's where the site has none",
      "b = 1",
      "a = 1; Requirements = b == a",
      "b = 2; a = 2; Requirements = b == a",
    ],
    ["a circle through the job", "b = c; c = b; Requirements = b == 1", "b = 1", "a = 1"],
    [
      "a demand of the other's demand",
      "Requirements = other.Requirements",
      "Requirements = true",
      "Requirements = other.Requirements",
    ],
    ["texts without case", 'Requirements = other.a == "LINUX" && other.a < "M"', 'a = "linux"', 'a = "M"'],
    [
      "a name that refers to itself behind another",
      "a = 1",
      "s = t && true; t = isError(s); Requirements = s && t",
      "s = t && true; t = isError(s); Requirements = s && t",
    ],
    [
      "a rank of a row's expression of the job",
      "a = 3; Rank = other.b",
      "b = other.a + 1",
      "b = other.a + 2",
    ],
    [
      "a choice by what the job says",
      "a = 3",
      "b = 1; c = ifThenElse(other.a isnt undefined, other.a > b, b > 1) && b < 9; Requirements = c",
      "b = 5; c = ifThenElse(other.a isnt undefined, other.a > b, b > 1) && b < 9; Requirements = c",
    ],
    ["a list", 'Requirements = member("r", other.a) && size(other.a) == 2', 'a = {"R", 1}', "a = {1, 2}"],
    ["the time", "Requirements = other.a <= time() && CurrentTime >= other.a", "a = 5", "a = 6"],
  ])("%s", (_, job, one, other) => {
    const ads = Array.from({ length: 40 }, (__, at) => adFrom(at % 3 === 0 ? other : one));
    const context = { nowMs: 5_000 };
    const found = findMatches(adFrom(job), tableOf(ads), context);
    expect(found).toEqual(oneByOne(adFrom(job), ads, context));
  });
});
