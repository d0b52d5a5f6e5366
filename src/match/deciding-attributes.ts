/**
 * The attributes of a site's ad that decide whether a job matches the site.
 *
 * While their expressions are the same, the result of a match is the same (rule MT-14): a job that did not
 * match has to be matched again only when one of them changes. The set may be too large, never too small:
 * every name in an expression counts for both ads, and names that only evaluation determines stand for all.
 */
import { type ClassAd, childrenOf, keyOf, type Node, unparse } from "../classad/index.ts";
import { type JobDescribed, jobAdOf } from "./job-ad.ts";

/** Functions that look up names which are no part of the expression. */
const LOOKING_UP = new Set(["eval", "unparse", "unresolved"]);
/** Functions whose value changes by itself. */
const CHANGING = new Set(["time", "currenttime", "daytime", "random"]);
/** Functions that mean the current time where they have no operand. */
const NOW_ALONE = new Set(["abstime", "formattime", "splittime"]);

interface Found {
  readonly keys: Set<string>;
  /** True where all attributes may decide. */
  all: boolean;
  /** True where the time or chance decides too. */
  changes: boolean;
}

/**
 * The deciding attributes of an ad with their expressions, as one text; undefined where the time or chance
 * decides too.
 *
 * @param key of jobs of one class: the text is made once for each class and ad
 */
export function decidingAttributes(job: JobDescribed, ad: ClassAd, key: string): string | undefined {
  const known = texts.get(ad) ?? new Map<string, string | undefined>();
  texts.set(ad, known);
  if (known.has(key)) return known.get(key);
  const text = textOf(jobAdOf(job), ad);
  known.set(key, text);
  return text;
}

/** Cache of the texts, by ad and class of jobs. */
const texts = new WeakMap<ClassAd, Map<string, string | undefined>>();

function textOf(mine: ClassAd, ad: ClassAd): string | undefined {
  const found: Found = { keys: new Set(), all: false, changes: false };
  const open = [keyOf("Requirements")];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (found.keys.has(key)) continue;
    found.keys.add(key);
    for (const { attributes } of [mine, ad]) {
      const attribute = attributes.get(key);
      if (attribute !== undefined) open.push(...keysIn(attribute.node, found));
    }
  }
  if (found.changes) return undefined;
  const shown = ad.node.attributes.filter(({ name }) => found.all || found.keys.has(keyOf(name)));
  return shown
    .map(({ name, node }) => `${keyOf(name)}=${unparse(node)}`)
    .sort()
    .join(";");
}

/** The names in an expression. */
function keysIn(root: Node, found: Found): readonly string[] {
  const keys: string[] = [];
  const open: { readonly node: Node; readonly isSelected: boolean }[] = [{ node: root, isSelected: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isSelected } = next;
    if ("key" in node && node.kind !== "scope") keys.push(node.key);
    if (node.kind === "scope" && !isSelected) found.all = true;
    if (node.kind === "call") noteCall(node.key, node.operands.length, found);
    for (const child of childrenOf(node)) open.push({ node: child, isSelected: node.kind === "select" });
  }
  if (keys.includes("currenttime")) found.changes = true;
  return keys;
}

function noteCall(key: string, operands: number, found: Found): void {
  if (LOOKING_UP.has(key)) found.all = true;
  if (CHANGING.has(key) || (operands === 0 && NOW_ALONE.has(key))) found.changes = true;
}
