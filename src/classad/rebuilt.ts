/** Rebuilding of trees with some nodes replaced. */
import type { Node, RecordNode } from "./language.ts";

/** A tree in which `replacement` gives some nodes anew; undefined keeps a node, and looks below it. */
function rebuilt(node: Node, replacement: (node: Node) => Node | undefined): Node {
  const again = (one: Node): Node => rebuilt(one, replacement);
  const given = replacement(node);
  if (given !== undefined) return given;
  switch (node.kind) {
    case "literal":
    case "reference":
    case "absolute":
    case "scope":
      return node;
    case "select":
      return { ...node, of: again(node.of) };
    case "subscript":
      return { ...node, of: again(node.of), index: again(node.index) };
    case "unary":
      return { ...node, operand: again(node.operand) };
    case "binary":
      return { ...node, left: again(node.left), right: again(node.right) };
    case "conditional": {
      const [test, otherwise] = [again(node.test), again(node.otherwise)];
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the branch.
      return { ...node, test, then: again(node.then), otherwise };
    }
    case "elvis":
      return { ...node, first: again(node.first), second: again(node.second) };
    case "call":
      return { ...node, operands: node.operands.map(again) };
    case "list":
      return { ...node, items: node.items.map(again) };
    case "record":
      return rebuiltRecord(node, replacement);
  }
}

/** An ad in which `replacement` gives some nodes anew. */
export function rebuiltRecord(
  { attributes }: RecordNode,
  replacement: (node: Node) => Node | undefined,
): RecordNode {
  const again = attributes.map((one) => ({ ...one, node: rebuilt(one.node, replacement) }));
  return { kind: "record", attributes: again };
}
