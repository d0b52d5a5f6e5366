/**
 * Height and number of nodes of a tree, without recursion: it is asked before a tree is known to be low.
 */
import type { Node } from "./language.ts";

/** Nodes on the longest way from the root to a leaf, and nodes in all, a string's 64 characters as one. */
export interface NodeSize {
  readonly height: number;
  readonly size: number;
}

/** The size of a tree. */
export function sizeOf(root: Node): NodeSize {
  let height = 0;
  let size = 0;
  let level: readonly Node[] = [root];
  while (level.length > 0) {
    height++;
    for (const node of level) size += weightOf(node);
    level = level.flatMap(childrenOf);
  }
  return { height, size };
}

/** A long string counts as several nodes: who copies or compares it looks at all of it. */
function weightOf(node: Node): number {
  const isString = node.kind === "literal" && node.value.kind === "string";
  return isString ? 1 + Math.floor(node.value.value.length / 64) : 1;
}

/** The nodes directly below one. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "reference":
    case "absolute":
    case "scope":
      return [];
    case "select":
      return [node.of];
    case "subscript":
      return [node.of, node.index];
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.test, node.then, node.otherwise];
    case "elvis":
      return [node.first, node.second];
    case "call":
      return node.operands;
    case "list":
      return node.items;
    case "record":
      return node.attributes.map((attribute) => attribute.node);
  }
}
