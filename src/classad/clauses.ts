/** Operands of `&&`: an expression is true exactly where each of them is (rule CA-12). */
import { compileExpression } from "./compile.ts";
import type { AdTable, Clause, Comparing, Expression, Node } from "./language.ts";

/** The operands of `&&`, from left to right; the node itself where it is no `&&`. */
export function clausesOf(node: Node): readonly Node[] {
  if (node.kind !== "binary" || node.operator !== "&&") return [node];
  return [...clausesOf(node.left), ...clausesOf(node.right)];
}

/** The operands of `&&`, each compiled. */
export function compiledClauses({ node }: Expression): readonly Clause[] {
  return clausesOf(node).map((clause) => ({
    expression: compileExpression(clause),
    compares: comparingOf(clause),
  }));
}

/** The compiled operands of a `Requirements` in a table, compiled once. */
export function clausesInTable(table: AdTable, expression: Expression): readonly Clause[] {
  const known = table.clauses.get(expression);
  if (known !== undefined) return known;
  const clauses = compiledClauses(expression);
  table.clauses.set(expression, clauses);
  return clauses;
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
