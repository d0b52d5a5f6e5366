/** Attributes that administrators add to the ads of a site, as ClassAd texts (rule MT-13). */
import { type ClassAdProblem, parseExpression } from "../classad/index.ts";

/** Attributes with their expressions. */
export type GivenAttributes = Readonly<Record<string, string>>;

/** First attribute whose text is not an expression, or whose name differs from another only in case. */
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
    what: `it is given twice: also as ${other}`,
    why: "attribute names are case-insensitive",
    remedy: "remove one of them",
  };
}
