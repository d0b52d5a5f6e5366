/** Attributes that conditions look up and that no ad has. */
import { nearestWord } from "../../base/index.ts";
import type { Side } from "../dependence.ts";
import { type AdTable, type ClassAd, keyOf, type Name, type Node } from "../language.ts";
import { childrenOf } from "../node-size.ts";
import { otherName, ownName } from "./conditions.ts";
import type { JudgedCondition } from "./verdicts.ts";

/** A name that nobody has, and the conditions that look it up. */
export interface AbsentName {
  readonly name: string;
  /** Side that would have to have it: the analysed ad, or the ads of the table. */
  readonly side: Side;
  /** Indices of conditions. */
  readonly conditions: readonly number[];
  /** The most similar name that there is; absent where none is. */
  readonly similar?: string;
}

interface Search {
  readonly ad: ClassAd;
  /** Names of the table by key. */
  readonly theirs: ReadonlyMap<string, string>;
  /** Names looked up by a condition. */
  readonly found: Map<string, { readonly name: string; readonly side: Side }>;
  readonly entered: Set<string>;
}

/** The absent names, in order of the conditions. */
export function absentNames(
  judged: readonly JudgedCondition[],
  ad: ClassAd,
  { ads }: AdTable,
): readonly AbsentName[] {
  const theirs = new Map(
    ads.flatMap(({ attributes }) => [...attributes.values()].map(({ key, name }) => [key, name] as const)),
  );
  const absent = new Map<string, { name: string; side: Side; conditions: number[] }>();
  for (const [index, { node, side }] of judged.entries()) {
    const search: Search = { ad, theirs, found: new Map(), entered: new Set() };
    visit(node, side, search);
    for (const [key, one] of search.found) {
      const known = absent.get(key) ?? { ...one, conditions: [] };
      known.conditions.push(index);
      absent.set(key, known);
    }
  }
  return [...absent.values()].map((one) => {
    const names =
      one.side === "row" ? [...theirs.values()] : [...ad.attributes.values()].map((it) => it.name);
    const similar = nearestWord(
      one.name,
      names.filter(({ length }) => length <= 64),
    );
    return { ...one, ...(similar === undefined ? {} : { similar }) };
  });
}

function visit(node: Node, side: Side, search: Search): void {
  const { ad, theirs } = search;
  const own = side === "ad" ? ownName(node, ad) : undefined;
  if (own !== undefined) {
    const attribute = ad.attributes.get(own.key);
    if (attribute === undefined) note(own, "ad", search);
    else if (!search.entered.has(own.key)) {
      search.entered.add(own.key);
      visit(attribute.node, "ad", search);
    }
    return;
  }
  const other = otherName(node);
  if (other !== undefined) {
    const isThere = side === "ad" ? theirs.has(other.key) : ad.attributes.has(other.key);
    if (!isThere) note(other, side === "ad" ? "row" : "ad", search);
    return;
  }
  if (node.kind === "reference") {
    if (!theirs.has(node.key) && !ad.attributes.has(node.key) && node.key !== "currenttime") {
      note(node, side === "ad" ? "row" : "ad", search);
    }
    return;
  }
  if (node.kind === "record") return;
  for (const child of childrenOf(node)) visit(child, side, search);
}

function note({ name }: Name, side: Side, { found }: Search): void {
  found.set(`${side} ${keyOf(name)}`, { name, side });
}
