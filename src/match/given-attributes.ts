/** What a site's administrators give as attributes of its ads, as ClassAd texts (rule MT-13). */
import { type ClassAdProblem, parseExpression } from "../classad/index.ts";

/** Attributes with their expressions. */
export type GivenAttributes = Readonly<Record<string, string>>;

/** The first attribute whose text is no expression, or whose name another has in other letters. */
export function unreadableAttribute(
  given: GivenAttributes,
):
  | { readonly attribute: string; readonly problem: Pick<ClassAdProblem, "what" | "why" | "remedy"> }
  | undefined {
  const seen = new Map<string, string>();
  for (const [attribute, text] of Object.entries(given)) {
    const parsed = parseExpression(text);
    if (!parsed.ok) return { attribute, problem: parsed.refusal };
    const other = seen.get(attribute.toLowerCase());
    if (other !== undefined) return { attribute, problem: twice(other) };
    seen.set(attribute.toLowerCase(), attribute);
  }
  return undefined;
}

function twice(other: string) {
  return {
    what: `it is given twice, also as ${other}`,
    why: "names of attributes are case-insensitive",
    remedy: "remove one of them",
  };
}
