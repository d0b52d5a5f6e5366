/**
 * Height and number of nodes of a tree, without recursion, since the height of the tree is not yet limited.
 */
import type { Node } from "./language.ts";

/**
 * Nodes on the longest path from the root to a leaf, and number of nodes; 64 characters of a string count as
 * one.
 */
export interface NodeSize {
  readonly height: number;
  readonly size: number;
}

/** Computes the height and the number of nodes. */
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

/** A long string counts as several nodes, since copying or comparing it reads all of it. */
function weightOf(node: Node): number {
  const isString = node.kind === "literal" && node.value.kind === "string";
  return isString ? 1 + Math.floor(node.value.value.length / 64) : 1;
}

/** The direct children of a node. */
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
