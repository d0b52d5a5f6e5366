/**
 * What an expression refers to, without evaluating it.
 */
import type { Attribute, Name, Node, Scope } from "./language.ts";
import { childrenOf } from "./node-size.ts";

/** The attribute that a name stands for in the ads around a place, from the innermost outwards. */
export function writtenUnder(key: string, scope: Scope): Attribute | undefined {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    const attribute = place.ad.attributes.get(key);
    if (attribute !== undefined) return attribute;
  }
  return undefined;
}

/** The names that an expression of this place asks of the other ad, or of nobody; each once, sorted. */
export function unresolvedNames(node: Node, scope: Scope): readonly string[] {
  const found = new Map<string, string>();
  const visit = (part: Node): void => {
    const asked = askedName(part, scope);
    if (asked !== undefined && !found.has(asked.key)) found.set(asked.key, asked.name);
    for (const child of childrenOf(part)) visit(child);
  };
  visit(node);
  return [...found].sort(([one], [another]) => (one < another ? -1 : 1)).map(([, name]) => name);
}

function askedName(node: Node, scope: Scope): Name | undefined {
  if (node.kind === "select" && node.of.kind === "scope" && node.of.scope === "other") return node;
  return node.kind === "reference" && writtenUnder(node.key, scope) === undefined ? node : undefined;
}
