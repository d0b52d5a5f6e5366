/** Rebuilding of trees with some nodes replaced. */
import type { Node, RecordNode } from "./language.ts";

/**
 * A tree in which `replacement` gives some nodes anew; undefined keeps a node, and looks below it. A node
 * below which nothing is replaced stays the same object, so that several replacements can follow each other.
 */
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
      return withParts(node, { of: again(node.of) });
    case "subscript":
      return withParts(node, { of: again(node.of), index: again(node.index) });
    case "unary":
      return withParts(node, { operand: again(node.operand) });
    case "binary":
      return withParts(node, { left: again(node.left), right: again(node.right) });
    case "conditional": {
      const [test, otherwise] = [again(node.test), again(node.otherwise)];
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the branch.
      return withParts(node, { test, then: again(node.then), otherwise });
    }
    case "elvis":
      return withParts(node, { first: again(node.first), second: again(node.second) });
    case "call":
      return withParts(node, { operands: eachAgain(node.operands, again) });
    case "list":
      return withParts(node, { items: eachAgain(node.items, again) });
    case "record":
      return rebuiltRecord(node, replacement);
  }
}

/** An ad in which `replacement` gives some nodes anew. */
export function rebuiltRecord(record: RecordNode, replacement: (node: Node) => Node | undefined): RecordNode {
  const again = (one: RecordNode["attributes"][number]) =>
    withParts(one, { node: rebuilt(one.node, replacement) });
  return withParts(record, { attributes: eachAgain(record.attributes, again) });
}

function withParts<Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole {
  const changed = { ...whole, ...parts };
  const names = Object.keys(parts) as (keyof Whole)[];
  return names.every((name) => changed[name] === whole[name]) ? whole : changed;
}

function eachAgain<Item>(items: readonly Item[], again: (item: Item) => Item): readonly Item[] {
  const changed = items.map(again);
  return changed.every((item, at) => item === items[at]) ? items : changed;
}
