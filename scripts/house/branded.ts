/**
 * Test whether an expression is a branded quantity (src/base/quantity.ts).
 *
 * The brand is a property whose name is a unique symbol called `unit`, beside `number`. TypeScript drops
 * brands in sums and differences, so those are followed down to their operands: `(end - start)` is still a
 * quantity.
 */
import ts from "typescript";

/** True if `node` has a unit, or is a sum, difference, choice or negation of an operand with one. */
export function isQuantity(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isBranded(checker.getTypeAtLocation(node))) return true;
  const parts = carriers(node);
  return parts.some((part) => isQuantity(part, checker));
}

/** Operands whose unit the result of `node` has. */
function carriers(node: ts.Expression): readonly ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return [node.expression];
  if (ts.isPrefixUnaryExpression(node)) return [node.operand];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isBinaryExpression(node) && keepsUnit.has(node.operatorToken.kind)) return [node.left, node.right];
  return [];
}

const keepsUnit = new Set<ts.SyntaxKind>([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

function isBranded(type: ts.Type): boolean {
  const constraint = type.isTypeParameter() ? type.getConstraint() : undefined;
  if (constraint) return isBranded(constraint);
  if (type.isUnion()) return type.types.some(isBranded);
  if (!type.isIntersection()) return false;
  const number = type.types.some((part) => (part.flags & ts.TypeFlags.NumberLike) !== 0);
  return number && type.types.some((part) => part.getProperties().some(isUnit));
}

/** True for the property of the unique symbol `unit`, which TypeScript names `__@unit@` and a number. */
function isUnit(property: ts.Symbol): boolean {
  return String(property.escapedName).startsWith("__@unit@");
}
