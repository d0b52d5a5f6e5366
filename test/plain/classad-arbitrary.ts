/** Random expressions and ads, small enough to read and rich enough to meet every rule. */
import fc from "fast-check";
import type { BinaryOperator, Node, RecordNode, Scalar, UnaryOperator } from "../../src/classad/language.ts";
import { PLAIN_FUNCTIONS } from "./classad-functions.ts";

const NAMES = ["a", "b", "c", "d", "E"];
const BINARY: readonly BinaryOperator[] = [
  ...(["||", "&&", "|", "^", "&", "==", "!=", "=?=", "=!=", "<", "<="] as const),
  ...([">", ">=", "<<", ">>", ">>>", "+", "-", "*", "/", "%"] as const),
];
const UNARY: readonly UnaryOperator[] = ["-", "+", "!", "~"];

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom<Scalar>(
    { kind: "undefined" },
    { kind: "error" },
    { kind: "boolean", value: true },
    { kind: "boolean", value: false },
  ),
  fc
    .oneof(fc.integer({ min: -9, max: 70 }), fc.constantFrom(2 ** 53 - 1, 1 - 2 ** 53, 3_037_000_500))
    .map((value): Scalar => ({ kind: "integer", value })),
  fc
    .constantFrom(2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), 2n ** 53n)
    .map((exact): Scalar => ({ kind: "integer", value: Number(exact), exact })),
  fc
    .constantFrom(0, -0, 0.5, -1.5, 2, 1e300, Number.POSITIVE_INFINITY)
    .map((value): Scalar => ({ kind: "real", value })),
  fc
    .constantFrom("", "a", "A", "b, A", "1.5", "12", "ä'\"\\\n")
    .map((value): Scalar => ({ kind: "string", value })),
);

/** Names that may be attributes, and be selected, but mean ads where they stand alone. */
const WORDS = ["self", "other", "parent"];
const part = fc
  .oneof(
    { weight: 9, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(...WORDS) },
  )
  .map((one) => ({ name: one, key: one.toLowerCase() }));
const name = fc.constantFrom(...NAMES).map((one) => ({ name: one, key: one.toLowerCase() }));

function distinct(attributes: RecordNode["attributes"]): RecordNode {
  return { kind: "record", attributes: [...new Map(attributes.map((one) => [one.key, one])).values()] };
}

/** The sign of a number is part of it when it is read. */
function unaryNode(operator: UnaryOperator, operand: Node): Node {
  const isNumber = operand.kind === "literal" && ["integer", "real"].includes(operand.value.kind);
  return { kind: "unary", operator: operator === "-" && isNumber ? "~" : operator, operand };
}

/** A node and those below it; `depth` levels at most. */
function nodeOf(depth: number): fc.Arbitrary<Node> {
  const leaf: fc.Arbitrary<Node> = fc.oneof(
    scalar.map((value): Node => ({ kind: "literal", value })),
    name.map((one): Node => ({ kind: "reference", ...one })),
    name.map((one): Node => ({ kind: "absolute", ...one })),
    fc.constantFrom<Node>(
      { kind: "scope", scope: "self", name: "self", key: "self" },
      { kind: "scope", scope: "self", name: "my", key: "my" },
      { kind: "scope", scope: "other", name: "other", key: "other" },
      { kind: "scope", scope: "parent", name: "parent", key: "parent" },
      { kind: "scope", scope: "root", name: "root", key: "root" },
    ),
  );
  if (depth === 0) return leaf;
  const below = nodeOf(depth - 1);
  const calls = fc
    .constantFrom(...Object.entries(PLAIN_FUNCTIONS))
    .chain(([key, count]) =>
      fc
        .tuple(...Array.from({ length: count }, () => below))
        .map((operands): Node => ({ kind: "call", name: key, key, operands })),
    );
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...BINARY), below, below)
        .map(([operator, left, right]): Node => ({ kind: "binary", operator, left, right })),
    },
    fc.tuple(fc.constantFrom(...UNARY), below).map(([operator, operand]) => unaryNode(operator, operand)),
    fc.tuple(below, part).map(([of, one]): Node => ({ kind: "select", of, ...one })),
    fc.tuple(below, below).map(([of, index]): Node => ({ kind: "subscript", of, index })),
    fc
      .tuple(below, below, below)
      .map(([test, then, otherwise]): Node => ({ kind: "conditional", test, then, otherwise })),
    fc.tuple(below, below).map(([first, second]): Node => ({ kind: "elvis", first, second })),
    { weight: 2, arbitrary: calls },
    fc.array(below, { maxLength: 3 }).map((items): Node => ({ kind: "list", items })),
    recordOf(below, 3),
  );
}

function recordOf(below: fc.Arbitrary<Node>, maxLength: number): fc.Arbitrary<RecordNode> {
  return fc
    .array(
      fc.tuple(part, below).map(([one, node]) => ({ ...one, node, line: 1, column: 1 })),
      { maxLength },
    )
    .map(distinct);
}

/** Expressions. */
export const expressionNode = nodeOf(3);
/** Ads. */
export const adNode = recordOf(nodeOf(2), 5);
