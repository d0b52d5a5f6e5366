/** The files that a job reads, by InputData and by the parts of DataRequirements; each name once. */
import { evaluate, parseExpression } from "../../classad/index.ts";
import type { PlacedText, TypedAttribute, TypedValue } from "./typed-value.ts";

/** All of them; the catalogues that DataRequirements names are one here. */
export function neededData(typed: ReadonlyMap<string, TypedAttribute>): TypedValue {
  const items = [...typed.values()].flatMap((one): readonly PlacedText[] => {
    const { value, attribute, row } = one;
    if (row.becomes !== "inputData") return [];
    if (value.kind === "texts") return value.items;
    if (value.kind !== "ads") return [];
    return value.ads.flatMap((ad) =>
      [...ad]
        .filter(([name]) => name.toLowerCase() === "inputdata")
        .flatMap(([, text]) => namesIn(text).map((name) => ({ text: name, at: attribute.at }))),
    );
  });
  return { kind: "texts", items, isList: true };
}

/** Names in a value of a part: a text, or a list as an expression. */
function namesIn(text: string): readonly string[] {
  const read = text.startsWith("{") ? parseExpression(text) : undefined;
  if (read === undefined || !read.ok) return [text];
  const value = evaluate(read.value, {});
  const items = value.kind === "list" ? value.items : [value];
  // What is no text is told as a name that cannot be one.
  return items.map((item) => (item.kind === "string" ? item.value : item.kind));
}
