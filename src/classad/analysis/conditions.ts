/**
 * Conditions of a match: the operands of `&&` in `Requirements`, and in the attributes that an operand only
 * refers to, such as `START` of a machine. An ad demands what it does exactly where each of them is true.
 */
import { clausesOf } from "../clauses.ts";
import type { ClassAd, Name, Node } from "../language.ts";

/** One condition of an ad. */
export interface Condition {
  readonly node: Node;
  /** Names of the attributes through which `Requirements` refer to it, outermost first. */
  readonly through: readonly string[];
}

/** Most conditions that are told apart; the attributes beyond are conditions as a whole. */
const CONDITION_LIMIT = 200;

/** The conditions of an ad, in order of evaluation; none without `Requirements`. */
export function conditionsOf(ad: ClassAd): readonly Condition[] {
  const demand = ad.attributes.get("requirements");
  if (demand === undefined) return [];
  const found: Condition[] = [];
  const entered = new Set(["requirements"]);
  const visit = (node: Node, through: readonly string[]): void => {
    for (const clause of clausesOf(node)) {
      const attribute = ad.attributes.get(ownName(clause, ad)?.key ?? "");
      const isFollowed =
        attribute !== undefined && attribute.constant === undefined && !entered.has(attribute.key);
      if (!isFollowed || found.length >= CONDITION_LIMIT) {
        found.push({ node: clause, through });
        continue;
      }
      entered.add(attribute.key);
      visit(attribute.node, [...through, attribute.name]);
      entered.delete(attribute.key);
    }
  };
  visit(demand.node, []);
  return found;
}

/** The own attribute that a node is a reference to; undefined for other nodes. */
export function ownName(node: Node, ad: ClassAd): Name | undefined {
  switch (node.kind) {
    case "reference":
      return ad.attributes.has(node.key) ? node : undefined;
    case "absolute":
      return node;
    case "select":
      return node.of.kind === "scope" && node.of.scope === "self" ? node : undefined;
    default:
      return undefined;
  }
}

/** The attribute of the other ad that a node is a reference to; undefined for other nodes. */
export function otherName(node: Node): Name | undefined {
  if (node.kind !== "select" || node.of.kind !== "scope") return undefined;
  return node.of.scope === "other" ? node : undefined;
}
