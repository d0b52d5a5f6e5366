/**
 * Columns of a table that an expression depends on, when one ad is matched with each row.
 *
 * An expression of the ad or of a row is followed through its names. It depends on columns of the table alone
 * where it neither draws random numbers, nor uses whole ads, nor names that only evaluation determines.
 */

import { alikeIn } from "./ad-table.ts";
import { builtins } from "./functions/index.ts";
import type { AdTable, Attribute, ClassAd, Node } from "./language.ts";
import { childrenOf } from "./node-size.ts";
import { HEIGHT_LIMIT } from "./scope.ts";
import { SCOPE_WORDS } from "./words.ts";

/** The owner of an expression: the matched ad, or each row. */
export type Side = "ad" | "row";

/** Position of an expression. */
export interface Standing {
  readonly side: Side;
  /** The ad that is matched. */
  readonly ad: ClassAd;
  /** The table of the rows. */
  readonly table: AdTable;
  /** The attributes that contain the expression, or refer to it, outermost first. */
  readonly within: readonly Attribute[];
}

/** Attributes on which the value of an expression depends. */
export interface Dependence {
  /** Keys of columns. */
  readonly columns: ReadonlySet<string>;
  /** True where it may also depend on the ad. */
  readonly isOfAd: boolean;
}

interface Search {
  readonly ad: ClassAd;
  readonly table: AdTable;
  isOfAd: boolean;
  readonly columns: Set<string>;
  readonly inProgress: Set<Attribute>;
  readonly followed: Set<Attribute>;
  /** Sum of the heights of all expressions entered, as if all were in progress at once. */
  height: number;
}

/**
 * The columns that an expression depends on; undefined where it may depend on more, or where its
 * expressions might together exceed the height limit (rule CA-34).
 */
export function dependenceOf(node: Node, { side, ad, table, within }: Standing): Dependence | undefined {
  const height = within.reduce((sum, { expression }) => sum + expression.height, 0);
  const search: Search = {
    ad,
    table,
    height,
    isOfAd: false,
    columns: new Set(),
    inProgress: new Set(within),
    followed: new Set(),
  };
  return height <= HEIGHT_LIMIT && isFollowed(node, side, search) ? search : undefined;
}

function isFollowed(node: Node, side: Side, search: Search): boolean {
  switch (node.kind) {
    case "reference":
      return isNameFollowed(node.key, side, search);
    case "absolute":
      return isOwnFollowed(node.key, side, search);
    case "scope":
    case "record":
      return false;
    case "select":
      // An attribute of an ad may be one of the ads around it.
      if (node.of.kind !== "scope") return !SCOPE_WORDS.has(node.key) && isFollowed(node.of, side, search);
      if (node.of.scope === "parent" || node.of.scope === "root" || SCOPE_WORDS.has(node.key)) return false;
      return isOwnFollowed(node.key, node.of.scope === "self" ? side : oppositeOf(side), search);
    case "call":
      if (!isPlainFunction(node.key)) return false;
      break;
    default:
  }
  return childrenOf(node).every((child) => isFollowed(child, side, search));
}

function oppositeOf(side: Side): Side {
  return side === "ad" ? "row" : "ad";
}

/** True for functions whose value depends on their operands and the time of the match alone. */
function isPlainFunction(key: string): boolean {
  if (key === "ifthenelse") return true;
  return key !== "random" && builtins.get(key)?.kind !== "lazy";
}

/** Follows a bare name to its own ad, else to the other (rule CA-16). */
function isNameFollowed(key: string, side: Side, search: Search): boolean {
  const attribute = search.ad.attributes.get(key);
  if (side === "ad") search.isOfAd = true;
  if (side === "ad" && attribute !== undefined) return isEntered(attribute, "ad", search);
  const alike = alikeIn(search.table, key);
  if (alike !== undefined) return isEntered(alike, "row", search);
  search.columns.add(key);
  if (attribute === undefined) return true;
  search.isOfAd = true;
  return isEntered(attribute, "ad", search);
}

function isOwnFollowed(key: string, side: Side, search: Search): boolean {
  if (side === "row") {
    const alike = alikeIn(search.table, key);
    if (alike !== undefined) return isEntered(alike, "row", search);
    search.columns.add(key);
    return true;
  }
  search.isOfAd = true;
  const attribute = search.ad.attributes.get(key);
  return attribute === undefined || isEntered(attribute, "ad", search);
}

function isEntered(attribute: Attribute, side: Side, search: Search): boolean {
  if (attribute.constant !== undefined || search.followed.has(attribute)) return true;
  search.height += attribute.expression.height;
  if (search.height > HEIGHT_LIMIT || search.inProgress.has(attribute)) return false;
  search.inProgress.add(attribute);
  const isAll = isFollowed(attribute.node, side, search);
  search.inProgress.delete(attribute);
  search.followed.add(attribute);
  return isAll;
}
