/** Operands of `&&`: an expression is true exactly where each of them is (rule CA-12). */
import { alikeIn } from "./ad-table.ts";
import { compileExpression } from "./compile.ts";
import type { AdTable, Attribute, Clause, Comparing, Expression, InlinedClauses, Node } from "./language.ts";

/** The operands of `&&`, from left to right; the node itself where it is no `&&`. */
export function clausesOf(node: Node): readonly Node[] {
  if (node.kind !== "binary" || node.operator !== "&&") return [node];
  return [...clausesOf(node.left), ...clausesOf(node.right)];
}

/** The operands of `&&`, each compiled. */
export function compiledClauses({ node }: Expression): readonly Clause[] {
  return clausesOf(node).map(compiledClause);
}

/**
 * The operands of `&&` of an expression of the rows, compiled once. An operand that only refers to an
 * attribute that all rows have alike is its operands in turn: the reference is true exactly where they are.
 */
export function clausesInTable(table: AdTable, node: Node): InlinedClauses {
  const known = table.clauses.get(node);
  if (known !== undefined) return known;
  const nodes: Node[] = [];
  const entered = new Map<string, Attribute>();
  const visit = (part: Node): void => {
    for (const clause of clausesOf(part)) {
      const key = ownKey(clause);
      const isFollowed = key !== undefined && key !== "requirements" && !entered.has(key);
      const attribute = isFollowed ? alikeIn(table, key) : undefined;
      if (attribute === undefined) nodes.push(clause);
      else {
        // A second reference to an attribute is evaluated as it is.
        entered.set(attribute.key, attribute);
        visit(attribute.node);
      }
    }
  };
  visit(node);
  const found = { clauses: nodes.map(compiledClause), entered: [...entered.values()] };
  table.clauses.set(node, found);
  return found;
}

/** The key of the own attribute that a node of a row is a reference to. */
function ownKey(node: Node): string | undefined {
  if (node.kind === "reference" || node.kind === "absolute") return node.key;
  return node.kind === "select" && node.of.kind === "scope" && node.of.scope === "self"
    ? node.key
    : undefined;
}

function compiledClause(node: Node): Clause {
  return { expression: compileExpression(node), compares: comparingOf(node) };
}

function comparingOf(node: Node): Comparing | undefined {
  if (node.kind !== "binary") return undefined;
  switch (node.operator) {
    case "<":
    case "<=":
    case "==":
    case "!=":
    case ">=":
    case ">":
      return {
        operator: node.operator,
        left: compileExpression(node.left),
        right: compileExpression(node.right),
      };
    default:
      return undefined;
  }
}
