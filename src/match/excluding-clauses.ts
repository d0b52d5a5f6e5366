/**
 * Clauses that no site can fulfil together: `other.Memory > 8 && other.Memory < 4`.
 *
 * Only comparisons of one attribute of the site with a number or a text are judged. Values that are neither
 * fulfil none of them.
 */
import { type ClassAd, clausesOf, type Node, unparse } from "../classad/index.ts";

/** Two clauses as they are written. */
export interface ExcludingClauses {
  readonly first: string;
  readonly second: string;
}

type Operator = "<" | "<=" | "==" | ">=" | ">";

interface Comparison {
  readonly clause: Node;
  readonly key: string;
  readonly operator: Operator;
  readonly value: number | string;
}

const MIRRORED: Readonly<Record<Operator, Operator>> = {
  ...{ "<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<" },
};

/** Most comparisons that are judged: each is compared with each. */
const MOST_COMPARED = 200;

/**
 * The first two clauses of an expression that exclude each other.
 *
 * @param ad of the job: a bare name that it has is not an attribute of the site
 */
export function excludingClauses(requirements: Node, ad: ClassAd): ExcludingClauses | undefined {
  const found: Comparison[] = [];
  for (const clause of clausesOf(requirements)) {
    const one = comparisonOf(clause, ad);
    if (one === undefined) continue;
    const other = found.find((earlier) => isExcluded(earlier, one));
    if (other !== undefined) return { first: unparse(other.clause), second: unparse(clause) };
    if (found.length < MOST_COMPARED) found.push(one);
  }
  return undefined;
}

/** True where no value fulfils both. */
function isExcluded(one: Comparison, another: Comparison): boolean {
  if (one.key !== another.key) return false;
  const { value } = one;
  const { value: other } = another;
  if (typeof value === "string" || typeof other === "string") {
    return typeof value !== typeof other || String(value).toLowerCase() !== String(other).toLowerCase();
  }
  const [least, most] = one.operator.startsWith(">") ? [one, another] : [another, one];
  if (one.operator === "==") return !holds(value, another.operator, other);
  if (another.operator === "==") return !holds(other, one.operator, value);
  if (!least.operator.startsWith(">") || !most.operator.startsWith("<")) return false;
  const isOpen = least.operator === ">" || most.operator === "<";
  return least.value > most.value || (least.value === most.value && isOpen);
}

function holds(value: number, operator: Operator, bound: number): boolean {
  switch (operator) {
    case "<":
      return value < bound;
    case "<=":
      return value <= bound;
    case "==":
      return value === bound;
    case ">=":
      return value >= bound;
    case ">":
      return value > bound;
  }
}

function comparisonOf(clause: Node, ad: ClassAd): Comparison | undefined {
  if (clause.kind !== "binary") return undefined;
  const operator = operatorOf(clause.operator);
  if (operator === undefined) return undefined;
  const [left, right] = [siteKey(clause.left, ad), siteKey(clause.right, ad)];
  const key = left ?? right;
  const value = constantOf(left === undefined ? clause.left : clause.right);
  if (key === undefined || value === undefined) return undefined;
  // Texts have an order too, which is not judged.
  if (typeof value === "string" && operator !== "==") return undefined;
  return { clause, key, operator: left === undefined ? MIRRORED[operator] : operator, value };
}

function operatorOf(operator: string): Operator | undefined {
  if (operator === "=?=") return "==";
  return operator in MIRRORED ? (operator as Operator) : undefined;
}

/** The key of an attribute that only the site can have. */
function siteKey(node: Node, ad: ClassAd): string | undefined {
  if (node.kind === "reference") return ad.attributes.has(node.key) ? undefined : node.key;
  const isOther = node.kind === "select" && node.of.kind === "scope" && node.of.scope === "other";
  return isOther ? node.key : undefined;
}

function constantOf(node: Node): number | string | undefined {
  if (node.kind === "unary" && node.operator === "-") {
    const value = constantOf(node.operand);
    return typeof value === "number" ? -value : undefined;
  }
  if (node.kind !== "literal") return undefined;
  const { value } = node;
  if (value.kind === "string" || value.kind === "real") return value.value;
  // Integers beyond 2^53 are not compared here.
  return value.kind === "integer" && Number.isSafeInteger(value.value) ? value.value : undefined;
}
