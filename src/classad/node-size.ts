/** Height and number of nodes of a tree. */
import type { Node } from "./language.ts";

/**
 * Nodes on the longest path from the root to a leaf, and number of nodes; 64 characters of a string count as
 * one.
 */
export interface NodeSize {
  readonly height: number;
  readonly size: number;
}

/** Computes the height and the number of nodes level by level: for trees of unknown height. */
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

/** Equivalent to {@link sizeOf}; for speed nothing is collected, and the height of the tree is recursed. */
export function sizeOfLimited(root: Node): NodeSize {
  const total = { size: 0 };
  return { height: heightOf(root, total), size: total.size };
}

function heightOf(node: Node, total: { size: number }): number {
  total.size += weightOf(node);
  switch (node.kind) {
    case "literal":
    case "reference":
    case "absolute":
    case "scope":
      return 1;
    case "select":
      return 1 + heightOf(node.of, total);
    case "unary":
      return 1 + heightOf(node.operand, total);
    case "binary": {
      const left = heightOf(node.left, total);
      const right = heightOf(node.right, total);
      return 1 + Math.max(left, right);
    }
    default: {
      let highest = 0;
      for (const child of childrenOf(node)) highest = Math.max(highest, heightOf(child, total));
      return 1 + highest;
    }
  }
}

/** A long string counts as several nodes, since copying or comparing it reads all of it. */
export function weightOf(node: Node): number {
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
