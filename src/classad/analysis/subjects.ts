/** Subjects of change: what the owner of an ad can change where a condition is not met. */
import { compileExpression } from "../compile.ts";
import type { Side } from "../dependence.ts";
import type { AdTable, BinaryOperator, ClassAd, Expression, Name, Node, Scalar } from "../language.ts";
import { otherName, ownName } from "./conditions.ts";
import type { JudgedCondition } from "./verdicts.ts";

/** Operators whose sides can be moved until they are true. */
const MOVING = ["<", "<=", "==", ">=", ">"] as const;
type Moving = (typeof MOVING)[number];

/** An attribute of the ad, or a literal in one of its conditions. */
export type Owner =
  | { readonly kind: "attribute"; readonly name: Name }
  | { readonly kind: "literal"; readonly node: Node };

/** A value that can be changed, and the expression in each ad that it is compared with. */
export interface Subject {
  /** Subject that has the value: an attribute, or a literal of a condition. */
  readonly of: Owner;
  /** The value now; undefined where the ad lacks the attribute. */
  readonly value: Scalar | undefined;
  /** The condition in the form `subject operator counterpart`. */
  readonly operator: Moving;
  readonly counterpart: Expression;
  readonly side: Side;
}

/** A key that is the same for the same value in several conditions. */
export function keyOfOwner(owner: Owner): string | Node {
  return owner.kind === "attribute" ? owner.name.key : owner.node;
}

const MIRRORED = { "<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<" } as const;

/** The subject of a condition; undefined where there is none. */
export function subjectOf(condition: JudgedCondition, ad: ClassAd, table: AdTable): Subject | undefined {
  const { node, side } = condition;
  if (node.kind !== "binary") return undefined;
  const operator = movingOf(node.operator);
  if (operator === undefined) return undefined;
  return (
    subjectAt(node.left, { operator, counterpart: node.right, side }, ad, table) ??
    subjectAt(node.right, { operator: MIRRORED[operator], counterpart: node.left, side }, ad, table)
  );
}

function movingOf(operator: BinaryOperator): Moving | undefined {
  if (operator === "=?=") return "==";
  return MOVING.find((one) => one === operator);
}

interface Place {
  readonly operator: Moving;
  readonly counterpart: Node;
  readonly side: Side;
}

function subjectAt(node: Node, place: Place, ad: ClassAd, table: AdTable): Subject | undefined {
  const { operator, counterpart, side } = place;
  const rest = { operator, counterpart: compileExpression(counterpart), side };
  const name = side === "ad" ? ownName(node, ad) : jobName(node, table);
  if (name !== undefined) {
    const attribute = ad.attributes.get(name.key);
    const constant = attribute?.constant;
    if (constant?.kind === "list" || constant?.kind === "ad") return undefined;
    if (attribute !== undefined && constant === undefined) return undefined;
    return { of: { kind: "attribute", name }, value: constant, ...rest };
  }
  if (node.kind !== "literal" || side === "row" || counterpart.kind === "literal") return undefined;
  return { of: { kind: "literal", node }, value: node.value, ...rest };
}

/** The attribute of the analysed ad that a node of the other side is a reference to. */
function jobName(node: Node, { ads }: AdTable): Name | undefined {
  const other = otherName(node);
  if (other !== undefined) return other;
  if (node.kind !== "reference") return undefined;
  return ads.some(({ attributes }) => attributes.has(node.key)) ? undefined : node;
}
