/** Conversion between ads and plain values, for other folders. */
import { compileAd } from "./compile.ts";
import {
  type ClassAd,
  type ClassAdValue,
  type Expression,
  keyOf,
  type Node,
  type RecordNode,
} from "./language.ts";
import { absTimeText } from "./time-text.ts";
import { unparse } from "./unparse.ts";
import { booleanValue, integerValue, realValue, stringValue, UNDEFINED } from "./values.ts";

/** A value from JSON: whole numbers become integers, others reals, null `undefined`. */
export type PlainValue =
  | (string | number | boolean | null | undefined)
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue };

/**
 * An ad with these attributes. Names are case-insensitive: of two that differ in case alone the later counts.
 */
export function adOf(record: { readonly [name: string]: PlainValue }): ClassAd {
  return compileAd(recordOf(record));
}

/** An ad with further attributes, which replace those of the same name. */
export function adWith(ad: ClassAd, further: readonly (readonly [string, Expression])[]): ClassAd {
  const attributes = new Map(ad.node.attributes.map((attribute) => [attribute.key, attribute]));
  for (const [name, { node }] of further) {
    const key = keyOf(name);
    attributes.set(key, { name, key, node, line: 1, column: 1 });
  }
  return compileAd({ kind: "record", attributes: [...attributes.values()] });
}

function recordOf(record: { readonly [name: string]: PlainValue }): RecordNode {
  const attributes = new Map(
    Object.entries(record).map(([name, value]) => {
      const key = keyOf(name);
      return [key, { name, key, node: nodeOf(value), line: 1, column: 1 }] as const;
    }),
  );
  return { kind: "record", attributes: [...attributes.values()] };
}

function nodeOf(value: PlainValue): Node {
  if (isList(value)) return { kind: "list", items: value.map(nodeOf) };
  if (typeof value === "object" && value !== null) return recordOf(value);
  return { kind: "literal", value: scalarOf(value) };
}

function isList(value: PlainValue): value is readonly PlainValue[] {
  return Array.isArray(value);
}

function scalarOf(value: string | number | boolean | null | undefined) {
  if (typeof value === "string") return stringValue(value);
  if (typeof value === "boolean") return booleanValue(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? integerValue(value) : realValue(value);
  return UNDEFINED;
}

/**
 * A value for JSON: `undefined` and `error` as null, an instant as ISO 8601, a length of time in seconds, an
 * ad as the canonical texts of its attributes, which are not evaluated.
 */
export function plainOf(value: ClassAdValue): PlainValue {
  switch (value.kind) {
    case "undefined":
    case "error":
      return null;
    case "absTime":
      return absTimeText(value);
    case "relTime":
      return value.seconds;
    case "list":
      return value.items.map(plainOf);
    case "ad":
      return Object.fromEntries(
        value.scope.ad.node.attributes.map(({ name, node }) => [name, unparse(node)]),
      );
    default:
      return value.value;
  }
}
