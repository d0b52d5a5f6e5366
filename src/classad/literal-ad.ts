/**
 * Ads whose attributes are values: what functions make.
 */
import { type AdValue, type Attribute, keyOf, type Scalar } from "./language.ts";
import { rootScope } from "./scope.ts";

/** An ad of these values, in a place of its own. */
export function literalAd(entries: readonly (readonly [string, Scalar])[]): AdValue {
  const attributes = entries.map(([name, value]): Attribute => {
    const node = { kind: "literal", value } as const;
    const expression = { node, height: 1, size: 1, run: () => value };
    return { name, key: keyOf(name), node, line: 1, column: 1, expression, constant: value };
  });
  const byKey = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  return { kind: "ad", scope: rootScope({ node: { kind: "record", attributes }, attributes: byKey }) };
}
